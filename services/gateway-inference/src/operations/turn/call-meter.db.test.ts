// Tests the usage that a model call is settled with: the provider's figure if it is plausible, or else our own count.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { until } from '../../testing/condition.js';
import { ask, collect, decodeEvents, InferenceSystem, type TurnOptions } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamHandler, type UpstreamServer } from '../../testing/upstream-server.js';

const mini: TurnOptions = { modelId: 'test-mini' };
const claude: TurnOptions = { modelId: 'claude-or-gpt' };
const CONTEXT_WINDOW = 128_000;

let gpt: UpstreamServer;
let anthropic: UpstreamServer;
let system: InferenceSystem;

beforeAll(async () => {
  gpt = await startUpstreamServer(() => undefined);
  anthropic = await startUpstreamServer(() => undefined);
  system = await InferenceSystem.start({
    OPENAI_BASE_URL: gpt.baseUrl,
    ANTHROPIC_BASE_URL: anthropic.baseUrl.replace(/\/v1$/, ''),
    OPENAI_RESPONSES_API: '1',
    CIRCUIT_FAILURES_MAX: '1000',
  });
});

afterAll(async () => {
  await system.stop();
  await Promise.all([gpt.stop(), anthropic.stop()]);
});

beforeEach(() => {
  gpt.cuts = 0;
});

function chatAnswer(text: string, usage: unknown): UpstreamHandler {
  return (res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }];
    res.end(JSON.stringify({ id: 'c1', choices, usage }));
  };
}

function openStream(res: ServerResponse): (event: object) => void {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  return (event) => void res.write(`data: ${JSON.stringify(event)}\n\n`);
}

function textChunk(content: string): object {
  return { id: 'c1', choices: [{ index: 0, delta: { content }, finish_reason: null }] };
}

function usageChunk(prompt: number, completion: number): object {
  return { id: 'c1', choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } };
}

const finishChunk = { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };

function messageEvents(outputTokens: unknown): object[] {
  const usage = { input_tokens: 12, output_tokens: 1 };
  return [
    { type: 'message_start', message: { id: 'm1', role: 'assistant', content: [], usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '12345678' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: outputTokens } },
    { type: 'message_stop' },
  ];
}

describe("a provider's figure", () => {
  it.each([
    ['input above the context window', { prompt_tokens: CONTEXT_WINDOW + 1, completion_tokens: 2 }],
    ['output above twice the held bound and 1,024', { prompt_tokens: 10, completion_tokens: 3_025 }],
    ['astronomical input', { prompt_tokens: 1e15, completion_tokens: 2 }],
    ['an astronomical total', { prompt_tokens: 10, completion_tokens: 2, total_tokens: 1e15 }],
    ['negative output', { prompt_tokens: 10, completion_tokens: -2 }],
    ['fractional output', { prompt_tokens: 10, completion_tokens: 2.5 }],
    ['a negative part', { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: -1 } }],
  ])('charges an estimate when the figure has %s', async (_what, usage) => {
    gpt.handler = chatAnswer('12345678', usage);
    const call = system.call();
    await collect(system.turn(ask('hi'), mini, call));
    const settled = system.ledger.findSettlement(call.requestId).usage!;
    expect(settled).toMatchObject({ outputTokens: 2n, cacheReadInputTokens: 0n, estimated: true });
    expect(settled.inputTokens).toBeLessThan(100n);
  });

  it.each([
    ['input as large as the context window', { prompt_tokens: CONTEXT_WINDOW, completion_tokens: 2 }],
    ['output of twice the held bound and 1,024', { prompt_tokens: 10, completion_tokens: 3_024 }],
  ])('charges the figure when it has %s', async (_what, usage) => {
    gpt.handler = chatAnswer('12345678', usage);
    const call = system.call();
    await collect(system.turn(ask('hi'), mini, call));
    expect(system.ledger.findSettlement(call.requestId).usage).toMatchObject({
      inputTokens: BigInt(usage.prompt_tokens),
      outputTokens: BigInt(usage.completion_tokens),
      estimated: false,
    });
  });

  it('reports at most as much reasoning as output', async () => {
    const details = { reasoning_tokens: 1e15 };
    gpt.handler = chatAnswer('ok', { prompt_tokens: 10, completion_tokens: 5, completion_tokens_details: details });
    const call = system.call();
    await collect(system.turn(ask('hi'), mini, call));
    expect(system.ledger.findSettlement(call.requestId).usage).toMatchObject({ outputTokens: 5n, reasoningTokens: 5n });
  });

  it.each([1e15, -1, 2.5])('keeps the input figure of a stream when its last output figure is %d', async (output) => {
    anthropic.handler = (res) => {
      const send = openStream(res);
      for (const event of messageEvents(output)) send(event);
      res.end();
    };
    const call = system.call();
    await collect(system.turn(ask('hi'), { ...claude, stream: true }, call));
    expect(system.ledger.findSettlement(call.requestId).usage).toMatchObject({
      inputTokens: 12n,
      outputTokens: 2n,
      estimated: true,
    });
  });
});

describe('searches by the provider', () => {
  it('reports the number of searches, and settles their fee apart from the tokens', async () => {
    const usage = { input_tokens: 10, output_tokens: 5, server_tool_use: { web_search_requests: 2 } };
    anthropic.handler = (res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ id: 'm1', content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn', usage }));
    };
    const call = system.call();
    const [frame] = await collect(
      system.turn(ask('go', { tools: [{ type: 'web' }] }), { modelId: 'claude-web' }, call),
    );
    expect(JSON.parse(Buffer.from(frame!.data).toString()).usage).toEqual({
      input_tokens: 10,
      output_tokens: 5,
      total_tokens: 15,
      web_search_requests: 2,
    });
    expect(system.ledger.findSettlement(call.requestId).usage).toMatchObject({
      inputTokens: 10n,
      outputTokens: 5n,
      // Two cents.
      feeMicrocents: 2_000_000n,
    });
  });
});

describe('a figure reported before the caller left', () => {
  it('takes precedence over the estimate of the output that it covers', async () => {
    gpt.handler = (res) => {
      const send = openStream(res);
      send(textChunk('a rather long text'));
      send(usageChunk(10, 3));
    };
    const usage = await usageAfterLeaving('rather long');
    expect(usage).toMatchObject({ inputTokens: 10n, outputTokens: 3n });
  });

  it('covers the text of its own chunk', async () => {
    gpt.handler = (res) => {
      const send = openStream(res);
      send({ ...textChunk('a rather long text'), usage: { prompt_tokens: 10, completion_tokens: 3 } });
    };
    const usage = await usageAfterLeaving('rather long');
    expect(usage).toMatchObject({ inputTokens: 10n, outputTokens: 3n });
  });

  it('adds an estimate of the output that came after it', async () => {
    gpt.handler = (res) => {
      const send = openStream(res);
      send({ ...textChunk('a rather long text'), usage: { prompt_tokens: 10, completion_tokens: 3 } });
      send(textChunk('12345678'));
    };
    const usage = await usageAfterLeaving('12345678');
    expect(usage).toMatchObject({ inputTokens: 10n, outputTokens: 5n, estimated: true });
  });

  async function usageAfterLeaving(lastText: string) {
    const leaving = new AbortController();
    const call = system.call({ signal: leaving.signal });
    const turn = system.turn(ask('hi'), { ...mini, stream: true }, call)[Symbol.asyncIterator]();
    const seen: string[] = [];
    while (!seen.some((data) => data.includes(lastText))) seen.push(...decodeEvents((await turn.next()).value));
    leaving.abort(new Error('left'));
    await until('settled', () => system.ledger.settled.some((req) => req.holdId === call.requestId));
    return system.ledger.findSettlement(call.requestId).usage;
  }
});

describe('a long answer whose reader has left', () => {
  it('ends after little further output, however fast its provider is', async () => {
    gpt.handler = (res) => {
      const send = openStream(res);
      const pump = (): void => {
        while (!res.destroyed && !res.writableNeedDrain) send(textChunk('word '.repeat(400)));
      };
      res.on('drain', pump);
      pump();
    };
    const leaving = new AbortController();
    const call = system.call({ signal: leaving.signal });
    const options = { ...mini, stream: true, maxOutputTokens: 1_000_000 };
    await system.turn(ask('hi'), options, call)[Symbol.asyncIterator]().next();
    leaving.abort(new Error('left'));
    await until('settled', () => system.ledger.settled.some((req) => req.holdId === call.requestId));
    // 64 KiB that waited for the reader, 64 KiB of the socket's last chunk, 16 KiB after the reader left.
    expect(Number(system.ledger.findSettlement(call.requestId).usage?.outputTokens)).toBeLessThan((144 * 1024) / 4);
  });
});

describe('a stream with a stop reason but without usage', () => {
  it('ends after 3 s with estimated usage', async () => {
    gpt.handler = (res) => {
      const send = openStream(res);
      send(textChunk('12345678'));
      send(finishChunk);
    };
    const call = system.call();
    const frames = await collect(system.turn(ask('hi'), { ...mini, stream: true }, call));
    expect(JSON.parse(frames.flatMap(decodeEvents).at(-1)!)).toMatchObject({ type: 'completion', stop_reason: 'stop' });
    expect(system.ledger.findSettlement(call.requestId).usage).toMatchObject({ outputTokens: 2n, estimated: true });
    await until('the provider is cut', () => gpt.cuts === 1);
  });
});

describe('a provider that ignores the output bound', () => {
  // The bound is 100: 1.25 × 100 + 256 = 381 tokens of 4 bytes may be relayed.
  const bounded = { ...mini, stream: true, maxOutputTokens: 100 };

  function endless(res: ServerResponse): void {
    const send = openStream(res);
    const timer = setInterval(() => send(textChunk('x'.repeat(40))), 1);
    res.on('close', () => clearInterval(timer));
  }

  it('cuts the provider and ends the native stream with max_tokens', async () => {
    gpt.handler = endless;
    const call = system.call();
    const frames = await collect(system.turn(ask('hi'), bounded, call));
    expect(JSON.parse(frames.flatMap(decodeEvents).at(-1)!)).toMatchObject({
      type: 'completion',
      stop_reason: 'max_tokens',
    });
    await until('the provider is cut', () => gpt.cuts === 1);
    const { usage, facts } = system.ledger.findSettlement(call.requestId);
    expect(usage).toMatchObject({ outputTokens: 390n, estimated: true });
    expect(facts).toMatchObject({ success: true, stopReason: 'max_tokens' });
  });

  it('relays nothing more of a chunk that holds many events', async () => {
    gpt.handler = (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      const event = `data: ${JSON.stringify(textChunk('x'.repeat(40)))}\n\n`;
      res.end(event.repeat(1_000));
    };
    const call = system.call();
    const frames = await collect(system.turn(ask('hi'), bounded, call));
    expect(frames.flatMap(decodeEvents).filter((data) => data.includes('"update"'))).toHaveLength(39);
    expect(system.ledger.findSettlement(call.requestId).usage).toMatchObject({ outputTokens: 390n });
  });

  it('ends a forwarded chat stream with finish_reason length and the requested usage', async () => {
    gpt.handler = endless;
    const body = {
      model: 'test-mini',
      messages: [{ role: 'user', content: 'hi' }],
      stream_options: { include_usage: true },
    };
    const events = await system.events(body, { ...bounded, dialect: Dialect.OPENAI_CHAT });
    const [finish, usage, done] = events.slice(-3);
    expect(JSON.parse(finish!)).toMatchObject({ id: 'c1', choices: [{ finish_reason: 'length' }] });
    expect(JSON.parse(usage!)).toMatchObject({ id: 'c1', choices: [], usage: { completion_tokens: 390 } });
    expect(done).toBe('[DONE]');
  });

  it('ends a forwarded message with stop_reason max_tokens after its closed block', async () => {
    anthropic.handler = (res) => {
      const send = openStream(res);
      for (const event of messageEvents(0).slice(0, 2)) send(event);
      const delta = { type: 'text_delta', text: 'x'.repeat(40) };
      for (let sent = 0; sent < 100; sent++) send({ type: 'content_block_delta', index: 0, delta });
    };
    const body = { model: 'claude-or-gpt', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };
    const options = { ...claude, stream: true, maxOutputTokens: 100, dialect: Dialect.ANTHROPIC_MESSAGES };
    const events = (await system.events(body, options)).map((data) => JSON.parse(data));
    expect(events.slice(-3)).toMatchObject([
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { input_tokens: 12, output_tokens: 390 } },
      { type: 'message_stop' },
    ]);
  });

  it('ends a forwarded response as incomplete, with the text so far', async () => {
    gpt.handler = (res) => {
      const send = openStream(res);
      send({ type: 'response.created', sequence_number: 0, response: { id: 'resp_up', status: 'in_progress' } });
      const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
      send({ type: 'response.output_item.added', sequence_number: 1, output_index: 0, item });
      for (let sent = 0; sent < 100; sent++) {
        send({ type: 'response.output_text.delta', sequence_number: sent + 2, delta: 'x'.repeat(40) });
      }
    };
    const options = { modelId: 'gpt-or-claude', stream: true, maxOutputTokens: 100, dialect: Dialect.OPENAI_RESPONSES };
    const events = await system.events({ model: 'gpt-or-claude', input: 'hi' }, options);
    const { type, response } = JSON.parse(events.at(-1)!);
    expect(type).toBe('response.incomplete');
    expect(response).toMatchObject({
      id: 'resp_up',
      incomplete_details: { reason: 'max_output_tokens' },
      output: [{ id: 'msg_1', status: 'incomplete', content: [{ type: 'output_text', text: 'x'.repeat(39 * 40) }] }],
      usage: { output_tokens: 390 },
    });
  });
});
