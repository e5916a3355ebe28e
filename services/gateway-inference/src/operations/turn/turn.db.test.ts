import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { Dialect, type GenerateResponse } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { until } from '../../testing/condition.js';
import { fixture } from '../../testing/fixtures.js';
import { ask, collect, decodeEvents, InferenceSystem } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamServer } from '../../testing/upstream-server.js';

let first: UpstreamServer;
let second: UpstreamServer;
let system: InferenceSystem;

const mini = { modelId: 'test-mini' };
const twoRoutes = { modelId: 'two-routes' };

function plain(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(fixture('openai', 'chat-text.json'));
}

function failing(status: number) {
  return (res: ServerResponse): void => {
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end('{"error":{"message":"no"}}');
  };
}

function chunk(content: string): string {
  return `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
}

beforeAll(async () => {
  first = await startUpstreamServer(plain);
  second = await startUpstreamServer(plain);
  system = await InferenceSystem.start({
    OPENAI_BASE_URL: first.baseUrl,
    XAI_BASE_URL: second.baseUrl,
    SETTLE_WAIT: '300',
  });
});

afterAll(async () => {
  await system.stop();
  await Promise.all([first.stop(), second.stop()]);
});

beforeEach(() => {
  for (const server of [first, second]) {
    server.handler = plain;
    server.requests.length = 0;
    server.cuts = 0;
  }
});

describe('routes', () => {
  it.each([429, 500, 503, 401, 404])(
    'asks the second route when the first answers %i before the first byte',
    async (status) => {
      first.handler = failing(status);
      const answer = await system.answer(ask('hi'), twoRoutes);
      expect(answer.provider).toBe('xai');
      expect(second.requests[0]?.body.model).toBe('second');
    },
  );

  it.each([
    ['first', 200, 15n, 60n],
    ['second', 500, 700n, 900n],
  ])('reports the price of the %s route if that served', async (_route, status, input, output) => {
    first.handler = status === 200 ? plain : failing(status);
    const holdId = randomUUID();
    await system.answer(ask('hi'), { modelId: 'priced-routes', holdId });
    const { usage } = system.ledger.findSettlement(holdId);
    expect(usage?.providerMicrocents).toBe(usage!.inputTokens * input + usage!.outputTokens * output);
  });

  it('keeps every failure when all routes fail', async () => {
    first.handler = failing(500);
    second.handler = failing(429);
    await expect(system.answer(ask('hi'), twoRoutes)).rejects.toMatchObject({
      code: 'PROVIDER_ERROR',
      upstreamStatus: 429,
      failures: [
        { code: 'PROVIDER_ERROR', statusCode: 500, message: 'openai answered with an error' },
        { code: 'PROVIDER_ERROR', statusCode: 429, message: 'xai answered with an error' },
      ],
    });
  });

  it('asks no other route when the request itself was refused, or output was delivered', async () => {
    first.handler = failing(400);
    await expect(system.answer(ask('hi'), twoRoutes)).rejects.toMatchObject({ upstreamStatus: 400 });
    first.handler = (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(chunk('Once'), () => res.destroy());
    };
    const events = await system.events(ask('hi'), twoRoutes);
    expect(JSON.parse(events.at(-1)!)).toMatchObject({ type: 'error', code: 'PROVIDER_ERROR' });
    expect(second.requests).toHaveLength(0);
  });

  it('names the missing providers when none is configured', async () => {
    await expect(system.answer(ask('hi'), { modelId: 'nowhere' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('anthropic'),
      layer: 'routing',
      retryable: false,
    });
  });

  it('narrows the routes to the provider that the client names', async () => {
    const answer = await system.answer(ask('hi', { provider: 'xai' }), twoRoutes);
    expect(answer.provider).toBe('xai');
    expect(first.requests).toHaveLength(0);
    await expect(system.answer(ask('hi', { provider: 'anthropic' }), twoRoutes)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'unknown model: two-routes at provider anthropic',
    });
  });
});

describe('requests that no provider is asked for', () => {
  it.each([
    [
      'another capability',
      ask('hi', { tools: [{ type: 'function', function: { name: 'f' } }] }),
      'MODEL_CAPABILITY_UNSUPPORTED',
    ],
    ['a provider-side tool', ask('hi', { tools: [{ type: 'web' }] }), 'MODEL_CAPABILITY_UNSUPPORTED'],
    ['an unknown storage context', ask('hi', { state_id: 'a0000000-0000-4000-8000-000000000009' }), 'NOT_FOUND'],
    ['no JSON', '{', 'VALIDATION_ERROR'],
  ])('releases the hold before it reports %s', async (_what, body, code) => {
    const call = system.call();
    await expect(collect(system.turn(body, twoRoutes, call))).rejects.toMatchObject({ code });
    expect(system.ledger.findRelease(call.requestId)).toMatchObject({ facts: { success: false, errorCode: code } });
    expect(first.requests).toHaveLength(0);
  });

  it('rejects a map-style schema by its path', async () => {
    const schema = { type: 'object', properties: { m: { type: 'object', additionalProperties: { type: 'string' } } } };
    const body = ask('hi', { output_format: { type: 'json_schema', json_schema: { name: 'd', schema } } });
    await expect(system.answer(body, mini)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('output_format.json_schema.schema.properties.m.additionalProperties'),
    });
  });

  it('rejects an unknown dialect', async () => {
    await expect(system.answer(ask('hi'), { dialect: Dialect.UNSPECIFIED })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

/** Returns the usage of a settlement without the provider's charge, which only the ledger learns. */
function findReported(requestId: string) {
  const { providerMicrocents: _, ...usage } = system.ledger.findSettlement(requestId).usage!;
  return usage;
}

describe('settling', () => {
  it('settles before the last frame of plain and streamed answers', async () => {
    for (const stream of [false, true]) {
      let open: () => void = () => undefined;
      system.ledger.gate = new Promise((resolve) => {
        open = resolve;
      });
      const call = system.call();
      const seen: string[] = [];
      const reading = (async () => {
        for await (const frame of system.turn(ask('write 3 words'), { stream }, call))
          seen.push(...decodeEvents(frame));
      })();
      const before = system.ledger.attempts;
      await until(
        'settling has started',
        () => system.ledger.attempts > before - 1 && (stream ? seen.length >= 4 : true),
      );
      expect(seen.some((data) => data.includes('"completion"') || data.includes('"output"'))).toBe(false);
      system.ledger.gate = undefined;
      open();
      await reading;
      expect(seen.at(-1)).toMatch(stream ? /"type":"completion"/ : /"output"/);
      expect(system.ledger.findSettlement(call.requestId).facts?.success).toBe(true);
    }
  });

  it('repeats the settlement until the ledger acknowledges, then answers', async () => {
    system.ledger.failNext = 2;
    const call = system.call();
    const frames = await collect(system.turn(ask('hi'), {}, call));
    expect(frames).toHaveLength(1);
    expect(system.ledger.findSettlement(call.requestId).usage?.outputTokens).toBeGreaterThan(0n);
  });

  it('fails the answer when it takes too long, and continues in the background', async () => {
    system.ledger.failNext = 8;
    const call = system.call();
    await expect(collect(system.turn(ask('hi'), {}, call))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    system.ledger.failNext = 0;
    await until('settled later', () => system.ledger.settled.some((req) => req.holdId === call.requestId));
  });

  it('waits past SETTLE_WAIT for a caller that awaits the settlement', async () => {
    system.ledger.failNext = 8;
    const call = system.call();
    const frames = await collect(system.turn(ask('hi'), { stream: true, awaitsSettlement: true }, call));
    expect(JSON.parse(decodeEvents(frames.at(-1)!).at(-1)!)).toMatchObject({ type: 'completion' });
    expect(system.ledger.failNext).toBe(0);
    expect(system.ledger.findSettlement(call.requestId).facts?.success).toBe(true);
  });

  it('sends the answer before its settlement to a caller that asks for that, and usage and charge after it', async () => {
    for (const stream of [false, true]) {
      let settle = (): void => undefined;
      system.ledger.gate = new Promise((resolve) => {
        settle = resolve;
      });
      const call = system.call();
      const options = { stream, answersBeforeSettlement: true, awaitsSettlement: true };
      const frames: GenerateResponse[] = [];
      for await (const frame of system.turn(ask('hi'), options, call)) {
        frames.push(frame);
        const isWhole = stream
          ? decodeEvents(frame).some((data) => data.includes('"completion"'))
          : frame.data.length > 0;
        if (!isWhole) continue;
        expect(system.ledger.settled.some(({ holdId }) => holdId === call.requestId)).toBe(false);
        expect([frame.usage, frame.charge]).toEqual([undefined, undefined]);
        settle();
      }
      const usage = findReported(call.requestId);
      expect(frames.at(-1)).toMatchObject({
        data: new Uint8Array(),
        usage,
        charge: { ownerMicrocents: expect.anything() },
      });
    }
    system.ledger.gate = undefined;
  });

  it('ends an answer with an error when it was sent before a settlement that fails', async () => {
    system.ledger.failNext = 8;
    const plain = collect(system.turn(ask('hi'), { answersBeforeSettlement: true }));
    await expect(plain).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    system.ledger.failNext = 8;
    const frames = await collect(system.turn(ask('hi'), { answersBeforeSettlement: true, stream: true }));
    expect(JSON.parse(decodeEvents(frames.at(-1)!).at(-1)!)).toMatchObject({
      type: 'error',
      code: 'SERVICE_UNAVAILABLE',
    });
    expect([frames.at(-1)?.hasFailed, frames.at(-1)?.charge]).toEqual([true, undefined]);
    system.ledger.failNext = 0;
  });

  it('reports usage and charge on the last frame of plain and streamed answers', async () => {
    for (const stream of [false, true]) {
      const call = system.call();
      const frames = await collect(system.turn(ask('hi'), { stream }, call));
      const usage = findReported(call.requestId);
      const tokens = usage.inputTokens + usage.outputTokens;
      const charge = { customerMicrocents: tokens * 200n, ownerMicrocents: tokens * 100n };
      expect(frames.at(-1)).toMatchObject({ usage, charge });
    }
  });

  it('reports usage and charge on the error frame of a stream that was cut', async () => {
    const call = system.call();
    const frames = await collect(system.turn(ask('fail with cut'), { stream: true }, call));
    const last = frames.at(-1)!;
    expect(JSON.parse(decodeEvents(last).at(-1)!)).toMatchObject({ type: 'error' });
    const usage = findReported(call.requestId);
    const tokens = usage.inputTokens + usage.outputTokens;
    expect(tokens).toBeGreaterThan(0n);
    expect(last).toMatchObject({
      usage,
      charge: { customerMicrocents: tokens * 200n, ownerMicrocents: tokens * 100n },
    });
  });

  it('reports no charge on the error frame of a stream that could not be settled', async () => {
    system.ledger.failNext = 8;
    const call = system.call();
    const frames = await collect(system.turn(ask('hi'), { stream: true }, call));
    const last = frames.at(-1)!;
    expect(JSON.parse(decodeEvents(last).at(-1)!)).toMatchObject({ type: 'error', code: 'SERVICE_UNAVAILABLE' });
    expect(last.charge).toBeUndefined();
    system.ledger.failNext = 0;
    await until('settled later', () => system.ledger.settled.some((req) => req.holdId === call.requestId));
  });

  it('uses the hold id of the admission', async () => {
    const request = {
      dialect: Dialect.NATIVE,
      body: Buffer.from(JSON.stringify(ask('hi'))),
      modelId: 'sandbox/echo-1',
      holdId: 'h-1',
    };
    await collect(system.client.generate(request, system.call()));
    expect(system.ledger.findSettlement('h-1').facts?.success).toBe(true);
  });
});

describe('a caller that leaves', () => {
  it('cuts the provider in mid-stream and charges the delivered output', async () => {
    first.handler = (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(chunk('12345678'));
    };
    const leaving = new AbortController();
    const call = system.call({ signal: leaving.signal });
    const turn = system.turn(ask('hi'), { ...mini, stream: true }, call)[Symbol.asyncIterator]();
    const seen: string[] = [];
    while (!seen.some((data) => data.includes('"update"'))) seen.push(...decodeEvents((await turn.next()).value));
    leaving.abort(new Error('left'));
    await until('the provider is cut', () => first.cuts === 1);
    await until('settled', () => system.ledger.settled.some((req) => req.holdId === call.requestId));
    expect(system.ledger.findSettlement(call.requestId)).toMatchObject({
      usage: { outputTokens: 2n, estimated: true },
      facts: { success: false, status: 499 },
    });
  });

  it('charges the input of a stream that was accepted but had no output', async () => {
    first.handler = (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.flushHeaders();
    };
    const leaving = new AbortController();
    const call = system.call({ signal: leaving.signal });
    const turn = system.turn(ask('hi'), { ...mini, stream: true }, call)[Symbol.asyncIterator]();
    expect(decodeEvents((await turn.next()).value).join()).toContain('"start"');
    leaving.abort(new Error('left'));
    await until('settled', () => system.ledger.settled.some((req) => req.holdId === call.requestId));
    const { usage } = system.ledger.findSettlement(call.requestId);
    expect(usage).toMatchObject({ outputTokens: 0n, estimated: true });
    expect(usage?.inputTokens).toBeGreaterThan(0n);
  });

  it('cuts the provider before a plain answer and charges nothing', async () => {
    first.handler = () => undefined;
    const leaving = new AbortController();
    const call = system.call({ signal: leaving.signal });
    const reading = collect(system.turn(ask('hi'), mini, call)).catch(() => 'failed');
    await until('asked', () => first.requests.length === 1);
    leaving.abort(new Error('left'));
    await expect(reading).resolves.toBe('failed');
    await until('the provider is cut', () => first.cuts === 1);
    await until('settled', () => system.ledger.settled.some((req) => req.holdId === call.requestId));
    expect(system.ledger.findSettlement(call.requestId)).toMatchObject({
      usage: { inputTokens: 0n, outputTokens: 0n },
      // The provider may have answered at that moment.
      isInDoubt: true,
    });
  });

  it('charges nothing, without doubt, for a call that was never sent', async () => {
    const leaving = new AbortController();
    const call = system.call({ signal: leaving.signal });
    const reading = collect(system.turn(ask('wait 5000 ms'), {}, call)).catch(() => 'failed');
    leaving.abort(new Error('left'));
    await expect(reading).resolves.toBe('failed');
    await until('settled', () => system.ledger.settled.some((req) => req.holdId === call.requestId));
    expect(system.ledger.findSettlement(call.requestId)).toMatchObject({
      usage: { inputTokens: 0n },
      isInDoubt: false,
    });
  });

  it('charges the reported usage when the caller leaves as the answer arrives', async () => {
    const leaving = new AbortController();
    first.handler = (res) => {
      leaving.abort(new Error('left'));
      plain(res);
    };
    const call = system.call({ signal: leaving.signal });
    await collect(system.turn(ask('hi'), mini, call)).catch(() => undefined);
    await until('settled', () => system.ledger.settled.some((req) => req.holdId === call.requestId));
    expect(system.ledger.findSettlement(call.requestId)).toMatchObject({
      usage: { inputTokens: 57n, outputTokens: 23n, estimated: false },
    });
  });
});

describe('a slow reader', () => {
  it('pauses the provider instead of filling memory, and loses nothing', async () => {
    const piece = 'x'.repeat(16_000);
    const pieces = 2_000;
    let sent = 0;
    first.handler = (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      const go = (): void => {
        while (sent < pieces) {
          sent++;
          if (!res.write(chunk(piece))) return void res.once('drain', go);
        }
        res.end('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
      };
      go();
    };
    const options = { ...mini, stream: true, maxOutputTokens: 10_000_000 };
    const turn = system.turn(ask('hi'), options)[Symbol.asyncIterator]();
    let received = 0;
    const count = (frame: GenerateResponse): void => {
      for (const data of decodeEvents(frame)) {
        const event = JSON.parse(data);
        if (event.type === 'update') received += event.delta.length;
      }
    };
    count((await turn.next()).value);
    let before = -1;
    await until('the provider is paused', () => {
      const isStill = sent === before && sent > 0;
      before = sent;
      return isStill;
    });
    expect(sent).toBeLessThan(pieces / 2);
    for (let result = await turn.next(); !result.done; result = await turn.next()) count(result.value);
    expect(received).toBe(piece.length * pieces);
  });
});

describe('a long turn', () => {
  it('reports its progress every 2 s, and stops when its hold has expired', async () => {
    first.handler = (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(chunk('12345678'));
    };
    const call = system.call();
    const events: string[] = [];
    const reading = (async () => {
      for await (const frame of system.turn(ask('hi'), { ...mini, stream: true }, call))
        events.push(...decodeEvents(frame));
    })();
    const reported = () => system.ledger.progress.filter((req) => req.holdId === call.requestId);
    await until('progress', () => reported().length > 0);
    expect(reported()[0]?.usage).toMatchObject({ outputTokens: 2n, estimated: true });
    system.ledger.holdsAreOpen = false;
    await reading;
    system.ledger.holdsAreOpen = true;
    expect(JSON.parse(events.at(-1)!)).toMatchObject({ type: 'error', code: 'SERVICE_UNAVAILABLE' });
    await until('the provider is cut', () => first.cuts === 1);
  });

  it('starts its stream 1 s after dispatch, and reports later failures as events', async () => {
    const startedAt = Date.now();
    const events = await system.events(ask('wait 1200 ms fail with 500'));
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1_200);
    expect(events.map((data) => JSON.parse(data))).toMatchObject([
      { type: 'start' },
      { type: 'error', code: 'PROVIDER_ERROR', status: 500 },
    ]);
  });
});

describe('payment failures of the owner, as a customer sees them', () => {
  it('shows a neutral, retryable 503', async () => {
    first.handler = failing(402);
    const principal = create(PrincipalSchema, { kind: PrincipalKind.CUSTOMER, customerId: 'c' });
    await expect(system.answer(ask('hi'), { ...mini, principal })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryable: true,
      status: 503,
    });
    await expect(system.answer(ask('hi'), mini)).rejects.toMatchObject({ code: 'UPSTREAM_PAYMENT_REQUIRED' });
  });
});
