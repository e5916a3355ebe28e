// Tests that a call which was sent and never answered is recorded as in doubt, on every path to a provider, and that a call
// which was provably never sent is not.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AudioTask, CompatService } from '@tollgate/contracts/inference/v1/compat_pb.js';
import { ImageService } from '@tollgate/contracts/inference/v1/images_pb.js';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { Call } from '@tollgate/rpc';
import { until } from '../../testing/condition.js';
import { ask, collect, InferenceSystem, type TurnOptions } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamHandler, type UpstreamServer } from '../../testing/upstream-server.js';

let gpt: UpstreamServer;
let second: UpstreamServer;
let anthropic: UpstreamServer;
let system: InferenceSystem;
/** Its only provider refuses connections. */
let unreachable: InferenceSystem;

const settings = { PROVIDER_RESPONSE_TIMEOUT: '300ms', PROVIDER_CONNECT_TIMEOUT: '2s', CIRCUIT_FAILURES_MAX: '1000' };

beforeAll(async () => {
  gpt = await startUpstreamServer(() => undefined);
  second = await startUpstreamServer(() => undefined);
  anthropic = await startUpstreamServer(() => undefined);
  system = await InferenceSystem.start({
    ...settings,
    OPENAI_BASE_URL: gpt.baseUrl,
    XAI_BASE_URL: second.baseUrl,
    ANTHROPIC_BASE_URL: anthropic.baseUrl.replace(/\/v1$/, ''),
  });
  const closed = `http://127.0.0.1:${await findClosedPort()}/v1`;
  unreachable = await InferenceSystem.start({ ...settings, OPENAI_BASE_URL: closed, ANTHROPIC_BASE_URL: closed });
});

afterAll(async () => {
  await Promise.all([system.stop(), unreachable.stop()]);
  await Promise.all([gpt.stop(), second.stop(), anthropic.stop()]);
});

beforeEach(() => {
  for (const server of [gpt, second, anthropic]) server.requests.length = 0;
});

async function findClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

type Ask = (on: InferenceSystem, holdId: string, call: Call) => Promise<unknown>;

const turn =
  (body: object, options: TurnOptions): Ask =>
  (on, holdId, call) =>
    collect(on.turn(body, { ...options, holdId }, call));

const admission = (holdId: string, modelId: string) => {
  return { holdId, modelId, modelName: modelId, inputUnits: 100n, outputUnits: 100n };
};
const toBody = (body: object) => Buffer.from(JSON.stringify(body));

const messages = [{ role: 'user', content: 'hi' }];
const asks: [string, Ask][] = [
  ['a native turn', turn(ask('hi'), { modelId: 'test-mini' })],
  ['a native stream', turn(ask('hi'), { modelId: 'test-mini', stream: true })],
  ['a forwarded chat', turn({ model: 'test-mini', messages }, { modelId: 'test-mini', dialect: Dialect.OPENAI_CHAT })],
  [
    'a forwarded chat stream',
    turn({ model: 'test-mini', messages }, { modelId: 'test-mini', dialect: Dialect.OPENAI_CHAT, stream: true }),
  ],
  [
    'a forwarded message',
    turn(
      { model: 'claude-web', max_tokens: 9, messages },
      { modelId: 'claude-web', dialect: Dialect.ANTHROPIC_MESSAGES },
    ),
  ],
  ['a turn of a run', turn(ask('hi'), { modelId: 'test-mini', returnsToolCalls: true, awaitsSettlement: true })],
  [
    'an image',
    (on, holdId, call) => {
      const request = { holdId, modelId: 'test-image', prompt: 'a cat', count: 1, isStored: false };
      return on.network.client(ImageService).generateImages(request, call);
    },
  ],
  [
    'an embedding',
    (on, holdId, call) => {
      const body = toBody({ model: 'test/embed-1', input: 'x' });
      const request = { admission: admission(holdId, 'test/embed-1'), body };
      return on.network.client(CompatService).createEmbeddings(request, call);
    },
  ],
  [
    'speech',
    (on, holdId, call) => {
      const body = toBody({ model: 'test/speech-1', input: 'x', voice: 'alloy' });
      const request = { admission: admission(holdId, 'test/speech-1'), body };
      return collect(on.network.client(CompatService).createSpeech(request, call));
    },
  ],
  [
    'a transcript',
    (on, holdId, call) => {
      const audio = { audio: Buffer.from('RIFF'), filename: 'a.wav', mimeType: 'audio/wav', fields: [] };
      const request = { admission: admission(holdId, 'test/transcribe-1'), task: AudioTask.TRANSCRIBE, ...audio };
      return on.network.client(CompatService).transcribeAudio(request, call);
    },
  ],
];

const never: UpstreamHandler = () => undefined;
const reset: UpstreamHandler = (res) => void res.destroy();
const breakAfterHead: UpstreamHandler = (res, { body }) => {
  res.writeHead(200, { 'content-type': body.stream ? 'text/event-stream' : 'application/json' });
  res.flushHeaders();
  setImmediate(() => res.destroy());
};
const refuse: UpstreamHandler = (res) => {
  res.writeHead(500, { 'content-type': 'application/json' });
  res.end('{"error":{"message":"no"}}');
};

/** Runs a request that fails, and returns its settlement. */
async function fail(on: InferenceSystem, asked: Ask, call = on.call()) {
  const holdId = randomUUID();
  // A stream that has started ends with an error event.
  await asked(on, holdId, call).catch(() => undefined);
  await until('settled', () => on.ledger.settled.some((req) => req.holdId === holdId));
  return on.ledger.findSettlement(holdId);
}

function expectNothingUsed({ usage }: { usage?: { inputTokens: bigint; outputTokens: bigint; images: number } }) {
  expect([usage?.inputTokens, usage?.outputTokens, usage?.images]).toEqual([0n, 0n, 0]);
}

describe.each(asks)('%s', (_name, asked) => {
  it.each([
    ['never answers', never],
    ['resets the connection after it has read the request', reset],
    ['breaks off after the head of its answer', breakAfterHead],
  ])('leaves its call in doubt, and charges no payer, when the provider %s', async (_what, handler) => {
    gpt.handler = handler;
    anthropic.handler = handler;
    const settled = await fail(system, asked);
    expect(settled).toMatchObject({ isInDoubt: true, unansweredCalls: 0 });
    expectNothingUsed(settled);
  });

  it('leaves nothing in doubt when the provider answers with an error', async () => {
    gpt.handler = refuse;
    anthropic.handler = refuse;
    const settled = await fail(system, asked);
    expect(settled.isInDoubt).toBe(false);
    expectNothingUsed(settled);
  });

  it('leaves nothing in doubt when no connection could be made', async () => {
    const settled = await fail(unreachable, asked);
    expect(settled.isInDoubt).toBe(false);
    expectNothingUsed(settled);
  });
});

describe('a call that another route has served', () => {
  it.each([
    ['a plain turn', false],
    ['a stream', true],
  ])('leaves the unanswered one of %s in doubt beside its own usage', async (_form, stream) => {
    gpt.handler = reset;
    second.handler = (res) => {
      const usage = { prompt_tokens: 10, completion_tokens: 5 };
      const choice = { index: 0, finish_reason: 'stop', [stream ? 'delta' : 'message']: { content: 'ok' } };
      const body = JSON.stringify({ id: 'c', choices: [choice], usage });
      res.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
      res.end(stream ? `data: ${body}\n\ndata: [DONE]\n\n` : body);
    };
    const holdId = randomUUID();
    await collect(system.turn(ask('hi'), { modelId: 'two-routes', stream, holdId }));
    expect(system.ledger.findSettlement(holdId)).toMatchObject({
      usage: { inputTokens: 10n, outputTokens: 5n },
      isInDoubt: false,
      unansweredCalls: 1,
    });
  });
});

describe('a call that is canceled while it waits for a socket', () => {
  it.each(asks.filter(([name]) => ['an image', 'an embedding', 'speech', 'a native turn'].includes(name)))(
    'leaves nothing in doubt: %s',
    async (_name, asked) => {
      const busy = await InferenceSystem.start({ OPENAI_BASE_URL: gpt.baseUrl, PROVIDER_CONNECTIONS: '1' });
      gpt.handler = never;
      const first = busy.call();
      const running = expect(asked(busy, randomUUID(), first)).rejects.toBeDefined();
      await until('the socket is taken', () => gpt.requests.length === 1);
      const leaving = busy.call();
      const waiting = fail(busy, asked, leaving);
      leaving.abort(new Error('left'));
      expect((await waiting).isInDoubt).toBe(false);
      first.abort(new Error('left'));
      await running;
      expect(gpt.requests).toHaveLength(1);
      await busy.stop();
    },
  );
});
