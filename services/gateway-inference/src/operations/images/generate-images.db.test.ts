import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ImageService } from '@tollgate/contracts/inference/v1/images_pb.js';
import { encodePng } from '../../providers/sandbox/sandbox-images.js';
import { until } from '../../testing/condition.js';
import { InferenceSystem, type TurnOptions } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamHandler, type UpstreamServer } from '../../testing/upstream-server.js';

const b64_json = encodePng(2, 2, () => 0xff0000).toString('base64');
const answering =
  (status: number, body: object): UpstreamHandler =>
  (res) => {
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(JSON.stringify(body));
  };
const drawing = answering(200, { created: 1, data: [{ b64_json }] });
const failing = (status: number) => answering(status, { error: { message: 'no' } });

let first: UpstreamServer;
let second: UpstreamServer;
let system: InferenceSystem;

beforeAll(async () => {
  first = await startUpstreamServer(drawing);
  second = await startUpstreamServer(drawing);
  system = await InferenceSystem.start({ OPENAI_BASE_URL: first.baseUrl, XAI_BASE_URL: second.baseUrl });
});
afterAll(async () => {
  await system.stop();
  await Promise.all([first.stop(), second.stop()]);
});
beforeEach(() => {
  for (const server of [first, second]) {
    server.handler = drawing;
    server.requests.length = 0;
    server.cuts = 0;
  }
});

function generate(holdId: string, options: TurnOptions = {}) {
  const request = { holdId, modelId: 'images-two-routes', prompt: 'a cat', count: 1, isStored: false };
  return system.network.client(ImageService).generateImages(request, system.call(options));
}

describe('images that take long', () => {
  it('keeps the hold alive', async () => {
    const holdId = randomUUID();
    const reports = () => system.ledger.progress.filter((req) => req.holdId === holdId);
    first.handler = async (res, received, req) => {
      await until('a heartbeat', () => reports().length > 0);
      drawing(res, received, req);
    };
    expect((await generate(holdId)).data).toHaveLength(1);
    expect(system.ledger.findSettlement(holdId)).toMatchObject({ usage: { images: 1 } });
  });

  it('ends with the hold, and settles in doubt', async () => {
    first.handler = () => undefined;
    system.ledger.holdsAreOpen = false;
    const holdId = randomUUID();
    await expect(generate(holdId)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('hold for this request has expired'),
    });
    system.ledger.holdsAreOpen = true;
    await until('the provider is cut', () => first.cuts === 1);
    expect(system.ledger.findSettlement(holdId)).toMatchObject({ usage: { images: 0 }, isInDoubt: true });
  });
});

describe('routes of an image model', () => {
  it('asks the next provider when one fails, and charges the image once', async () => {
    first.handler = failing(500);
    const holdId = randomUUID();
    expect((await generate(holdId)).data).toHaveLength(1);
    expect(second.requests).toHaveLength(1);
    expect(system.ledger.findSettlement(holdId)).toMatchObject({
      usage: { images: 1 },
      facts: { provider: 'xai', success: true },
    });
  });

  it('asks no other provider when the request itself is refused', async () => {
    first.handler = failing(400);
    const holdId = randomUUID();
    await expect(generate(holdId)).rejects.toMatchObject({ code: 'PROVIDER_ERROR', upstreamStatus: 400 });
    expect(second.requests).toHaveLength(0);
    expect(system.ledger.findSettlement(holdId)).toMatchObject({ usage: { images: 0 }, facts: { success: false } });
  });

  it('keeps every failure when all routes fail', async () => {
    first.handler = failing(500);
    second.handler = failing(503);
    await expect(generate(randomUUID())).rejects.toMatchObject({
      failures: [{ statusCode: 500 }, { statusCode: 503 }],
    });
  });

  it('leaves nothing in doubt when the caller left before any provider was asked', async () => {
    const holdId = randomUUID();
    await expect(generate(holdId, { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow();
    expect(first.requests).toHaveLength(0);
    expect(system.ledger.findSettlement(holdId)).toMatchObject({ usage: { images: 0 }, isInDoubt: false });
  });
});
