// Tests answers that are made in the background: their providers stream, and their callers receive whole answers.
import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toBackgroundResponseId } from '@tollgate/api/compatible';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { until } from '../../testing/condition.js';
import { fixture } from '../../testing/fixtures.js';
import { collect, InferenceSystem, type TurnOptions } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamHandler, type UpstreamServer } from '../../testing/upstream-server.js';

const RESPONSE_TIMEOUT_MS = 400;
/** Longer than the wait for a provider's head. */
const GENERATION_MS = 3 * RESPONSE_TIMEOUT_MS;

let claude: UpstreamServer;
let gpt: UpstreamServer;
let system: InferenceSystem;

beforeAll(async () => {
  claude = await startUpstreamServer(generating('anthropic', 'text', 'message-text'));
  gpt = await startUpstreamServer(generating('openai', 'response-tools', 'response-tools'));
  system = await InferenceSystem.start({
    ANTHROPIC_BASE_URL: claude.baseUrl.replace(/\/v1$/, ''),
    OPENAI_BASE_URL: gpt.baseUrl,
    OPENAI_RESPONSES_API: '1',
    CIRCUIT_FAILURES_MAX: '1000',
    PROVIDER_RESPONSE_TIMEOUT: `${RESPONSE_TIMEOUT_MS}ms`,
  });
});
afterAll(async () => {
  await system?.stop();
  await claude?.stop();
  await gpt?.stop();
});

/** Takes a while to generate, and sends the head of an answer that is not streamed at its end, as vendors do. */
function generating(vendor: string, stream: string, whole: string): UpstreamHandler {
  return (res, { body }) => {
    if (body.stream === true) {
      const events = fixture(vendor, `${stream}.chunks.txt`);
      const half = events.indexOf('\n\n', events.length / 2) + 2;
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(events.slice(0, half));
      setTimeout(() => res.end(events.slice(half)), GENERATION_MS);
    } else {
      setTimeout(() => {
        res.writeHead(200, { 'content-type': 'application/json' });
        res.end(fixture(vendor, `${whole}.json`));
      }, GENERATION_MS);
    }
  };
}

/** Sends the first half of a stream, and then as the test wants. */
function sendHalf(vendor: string, name: string, then: (res: Parameters<UpstreamHandler>[0]) => void): UpstreamHandler {
  return (res) => {
    const events = fixture(vendor, name);
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.write(events.slice(0, events.indexOf('\n\n', events.length / 2) + 2), () => then(res));
  };
}

function inBackground(modelId: string, holdId = randomUUID()): TurnOptions & { holdId: string } {
  const storage = { previousKey: '', historyItems: 0, backgroundId: toBackgroundResponseId(holdId) };
  const principal = create(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, projectId: randomUUID() });
  return { modelId, dialect: Dialect.OPENAI_RESPONSES, holdId, storage, principal };
}

function settled(id: string): Promise<void> {
  return until('the hold is settled', () => system.ledger.settled.some(({ holdId }) => holdId === id));
}

async function readAnswer(options: TurnOptions) {
  const frames = await collect(system.turn({ input: 'hi' }, options));
  const [frame] = frames.filter(({ data }) => data.length > 0);
  return { frames, answer: JSON.parse(Buffer.from(frame!.data).toString()) };
}

describe('an answer that takes longer than a provider may take to its head', () => {
  it.each([
    ['forwarded', 'gpt-or-claude', 'openai'],
    ['translated', 'claude-or-gpt', 'anthropic'],
  ])('settles the answer and returns the whole of it: %s', async (_what, modelId, provider) => {
    const options = inBackground(modelId);
    const { frames, answer } = await readAnswer(options);
    expect(frames.flatMap(({ more }) => more)).toEqual([]);
    expect(answer).toMatchObject({
      id: options.storage?.backgroundId,
      object: 'response',
      status: 'completed',
      background: true,
      store: true,
    });
    expect(answer.output.length).toBeGreaterThan(0);
    expect(answer.usage.output_tokens).toBeGreaterThan(0);
    const settlement = system.ledger.findSettlement(options.holdId);
    expect(settlement).toMatchObject({ usage: { estimated: false }, facts: { success: true, provider } });
    expect(settlement?.usage?.outputTokens).toBe(BigInt(answer.usage.output_tokens));
  });

  it('fails without background', async () => {
    const { storage: _none, ...options } = inBackground('gpt-or-claude');
    await expect(collect(system.turn({ input: 'hi' }, options))).rejects.toMatchObject({ code: 'PROVIDER_TIMEOUT' });
  });
});

describe('an answer that ends early', () => {
  it.each([
    ['whole', false],
    ['streamed', true],
  ])('charges nothing when its provider fails, and throws the failure for the next attempt: %s', async (_, stream) => {
    claude.handler = sendHalf('anthropic', 'text.chunks.txt', (res) => setTimeout(() => res.destroy(), 50));
    const options = { ...inBackground('claude-or-gpt'), stream };
    await expect(collect(system.turn({ input: 'hi' }, options))).rejects.toMatchObject({ retryable: true });
    await settled(options.holdId);
    const { usage, facts } = system.ledger.findSettlement(options.holdId)!;
    expect([usage?.inputTokens ?? 0n, usage?.outputTokens ?? 0n, facts?.success]).toEqual([0n, 0n, false]);
  });

  it('charges what was delivered when it is canceled', async () => {
    let isHalfSent = false;
    claude.handler = sendHalf('anthropic', 'text.chunks.txt', () => {
      isHalfSent = true;
    });
    const controller = new AbortController();
    const options = { ...inBackground('claude-or-gpt'), signal: controller.signal };
    const reading = collect(system.turn({ input: 'hi' }, options));
    reading.catch(() => undefined);
    await until('half of it has come', () => isHalfSent);
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort();
    await expect(reading).rejects.toThrow();
    await settled(options.holdId);
    const { usage } = system.ledger.findSettlement(options.holdId)!;
    expect(usage!.inputTokens).toBeGreaterThan(0n);
    expect(usage!.outputTokens).toBeGreaterThan(0n);
  });
});
