// Tests what is charged for output that a provider delivers and does not count: reasoning, and figures that later become zero.
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { until } from '../../testing/condition.js';
import { ask, collect, decodeEvents, InferenceSystem, type TurnOptions } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamServer } from '../../testing/upstream-server.js';

const WORDS = 'word '.repeat(200);
const TOKENS = BigInt(WORDS.length / 4);

let gpt: UpstreamServer;
let anthropic: UpstreamServer;
let gemini: UpstreamServer;
let system: InferenceSystem;

beforeAll(async () => {
  gpt = await startUpstreamServer(() => undefined);
  anthropic = await startUpstreamServer(() => undefined);
  gemini = await startUpstreamServer(() => undefined);
  system = await InferenceSystem.start({
    OPENAI_BASE_URL: gpt.baseUrl,
    ANTHROPIC_BASE_URL: anthropic.baseUrl.replace(/\/v1$/, ''),
    GEMINI_BASE_URL: gemini.baseUrl,
    OPENAI_RESPONSES_API: '1',
    CIRCUIT_FAILURES_MAX: '1000',
  });
});

afterAll(async () => {
  await system.stop();
  await Promise.all([gpt.stop(), anthropic.stop(), gemini.stop()]);
});

const messages = [{ role: 'user', content: 'hi' }];
const chat = { model: 'test-mini', messages };
const claudeChat = { model: 'claude-or-gpt', max_tokens: 100, messages };
const asChat: TurnOptions = { modelId: 'test-mini', dialect: Dialect.OPENAI_CHAT };
const asNative: TurnOptions = { modelId: 'test-mini' };

function openStream(res: ServerResponse): (event: object) => void {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  return (event) => void res.write(`data: ${JSON.stringify(event)}\n\n`);
}

function answerJson(res: ServerResponse, body: object): void {
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

function chunk(delta: object, finish: string | null = null): object {
  return { id: 'c1', model: 'gpt', choices: [{ index: 0, delta, finish_reason: finish }] };
}

/** Runs a turn to its end, if it has one, and returns what it was settled with. */
async function settle(body: object, options: TurnOptions): Promise<Record<string, unknown>> {
  const call = system.call();
  await collect(system.turn(body, options, call)).catch(() => undefined);
  await until('settled', () => system.ledger.settled.some(({ holdId }) => holdId === call.requestId));
  return system.ledger.findSettlement(call.requestId).usage as unknown as Record<string, unknown>;
}

const REASONING_DELTAS: [string, object][] = [
  ['reasoning_content', { content: null, reasoning_content: WORDS }],
  ['reasoning', { content: '', reasoning: WORDS }],
  ['reasoning_text', { reasoning_text: WORDS }],
  ['thinking', { thinking: WORDS }],
  ['reasoning_details', { reasoning_details: [{ type: 'reasoning.text', text: WORDS }] }],
  ['summaries of reasoning_details', { reasoning_details: [{ type: 'reasoning.summary', summary: WORDS }] }],
  ['the same text in two members', { reasoning: WORDS, reasoning_details: [{ type: 'reasoning.text', text: WORDS }] }],
  ['parts of content', { content: [{ type: 'thinking', thinking: [{ type: 'text', text: WORDS }] }] }],
];

describe('reasoning that is delivered without usage', () => {
  const dialects: [string, object, TurnOptions][] = [
    ['forwarded', chat, asChat],
    ['converted', ask('hi'), asNative],
  ];
  const cases = dialects.flatMap(([form, ...turn]) =>
    REASONING_DELTAS.map(([name, delta]): [string, string, object, object, TurnOptions] => [
      name,
      form,
      delta,
      ...turn,
    ]),
  );

  it.each(cases)('charges output when %s of a %s stream is cut', async (_name, _form, delta, body, options) => {
    gpt.handler = (res) => {
      openStream(res)(chunk(delta));
      res.write('\n', () => res.destroy());
    };
    expect(await settle(body, { ...options, stream: true })).toMatchObject({ outputTokens: TOKENS, estimated: true });
  });

  it.each(cases)('charges output when %s of a %s stream ends', async (_name, _form, delta, body, options) => {
    gpt.handler = (res) => {
      const send = openStream(res);
      send(chunk(delta));
      send(chunk({}, 'stop'));
      res.end('data: [DONE]\n\n');
    };
    expect(await settle(body, { ...options, stream: true })).toMatchObject({ outputTokens: TOKENS, estimated: true });
  });

  it.each(cases)('charges output when it is in %s of a %s plain answer', async (_n, _form, delta, body, options) => {
    const message = { role: 'assistant', content: null, ...delta };
    gpt.handler = (res) => answerJson(res, { id: 'c1', choices: [{ index: 0, message, finish_reason: 'stop' }] });
    expect(await settle(body, options)).toMatchObject({ outputTokens: TOKENS, estimated: true });
  });

  it('counts reasoning beside text in chunks that repeat', async () => {
    gpt.handler = (res) => {
      const send = openStream(res);
      for (const content of ['a', 'b', 'c']) send(chunk({ content, reasoning_content: WORDS }));
      send(chunk({}, 'stop'));
      res.end('data: [DONE]\n\n');
    };
    expect(await settle(chat, { ...asChat, stream: true })).toMatchObject({ outputTokens: 3n * TOKENS + 1n });
  });

  it('bounds an endless stream of reasoning', async () => {
    gpt.handler = (res) => {
      const send = openStream(res);
      for (let sent = 0; sent < 100; sent++) send(chunk({ reasoning_content: 'x'.repeat(40) }));
    };
    const usage = await settle(ask('hi'), { ...asNative, stream: true, maxOutputTokens: 100 });
    // 1.25 × 100 + 256 = 381 tokens may be relayed.
    expect(usage).toMatchObject({ outputTokens: 390n, estimated: true });
  });

  it('charges thoughts of a converted message that is cut', async () => {
    anthropic.handler = (res) => {
      const send = openStream(res);
      const usage = { input_tokens: 12, output_tokens: 1 };
      send({ type: 'message_start', message: { id: 'm1', role: 'assistant', content: [], usage } });
      send({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } });
      send({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: WORDS } });
      res.write('\n', () => res.destroy());
    };
    const usage = await settle(ask('hi'), { modelId: 'claude-or-gpt', stream: true });
    expect(usage).toMatchObject({ inputTokens: 12n, outputTokens: TOKENS, estimated: true });
  });

  it('charges summaries of reasoning of a converted response that is cut', async () => {
    gpt.handler = (res) => {
      const send = openStream(res);
      send({ type: 'response.created', response: { id: 'r1', status: 'in_progress' } });
      send({ type: 'response.reasoning_summary_text.delta', output_index: 0, delta: WORDS });
      res.write('\n', () => res.destroy());
    };
    const body = ask('hi', { tools: [{ type: 'web' }] });
    const usage = await settle(body, { modelId: 'gpt-web', stream: true });
    expect(usage).toMatchObject({ outputTokens: TOKENS, estimated: true });
  });
});

describe('a later figure of zero', () => {
  function relay(first: object, last: object) {
    anthropic.handler = (res) => {
      const send = openStream(res);
      send({ type: 'message_start', message: { id: 'm1', role: 'assistant', content: [], usage: first } });
      send({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
      send({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '12345678' } });
      send({ type: 'content_block_stop', index: 0 });
      send({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: last });
      send({ type: 'message_stop' });
      res.end();
    };
  }

  const forwarded: TurnOptions = { modelId: 'claude-or-gpt', stream: true, dialect: Dialect.ANTHROPIC_MESSAGES };

  it.each([
    ['the input', { input_tokens: 100, output_tokens: 1 }, { input_tokens: 0, output_tokens: 20 }, [100n, 0n, 0n, 20n]],
    [
      'the counters of the cache',
      { input_tokens: 10, cache_read_input_tokens: 60, cache_creation_input_tokens: 30, output_tokens: 1 },
      { input_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 20 },
      [100n, 60n, 30n, 20n],
    ],
    [
      'all input',
      { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 1 },
      { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 20 },
      [100n, 90n, 0n, 20n],
    ],
    [
      'the output',
      { input_tokens: 100, output_tokens: 1 },
      { input_tokens: 100, output_tokens: 0 },
      [100n, 0n, 0n, 2n],
    ],
  ])('does not replace the figure of %s', async (_what, first, last, expected) => {
    relay(first, last);
    const usage = await settle(claudeChat, forwarded);
    const { inputTokens, cacheReadInputTokens, cacheWriteInputTokens, outputTokens } = usage;
    expect([inputTokens, cacheReadInputTokens, cacheWriteInputTokens, outputTokens]).toEqual(expected);
  });

  it('gives way to later figures that count the same input as read from a cache', async () => {
    relay(
      { input_tokens: 100, output_tokens: 1 },
      { input_tokens: 0, cache_read_input_tokens: 100, output_tokens: 20 },
    );
    expect(await settle(claudeChat, forwarded)).toMatchObject({ inputTokens: 100n, cacheReadInputTokens: 100n });
  });

  it('does not replace the figures of a chat stream', async () => {
    gpt.handler = (res) => {
      const send = openStream(res);
      const usage = { prompt_tokens: 50, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 40 } };
      send({ ...chunk({ content: '12345678' }), usage });
      send({ ...chunk({}, 'stop'), usage: { prompt_tokens: 0, completion_tokens: 9 } });
      res.end('data: [DONE]\n\n');
    };
    const usage = await settle(chat, { ...asChat, stream: true });
    expect(usage).toMatchObject({ inputTokens: 50n, cacheReadInputTokens: 40n, outputTokens: 9n });
  });

  it.each([
    ['output', { prompt_tokens: 50, completion_tokens: 0 }, { inputTokens: 50n, outputTokens: 2n, estimated: true }],
    ['input', { prompt_tokens: 0, completion_tokens: 9 }, { inputTokens: 5n, outputTokens: 9n, estimated: true }],
  ])('gives way to an estimate when it is the only figure of delivered %s', async (_what, usage, expected) => {
    const message = { role: 'assistant', content: '12345678' };
    gpt.handler = (res) =>
      answerJson(res, { id: 'c1', choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
    expect(await settle(chat, asChat)).toMatchObject(expected);
  });
});

describe('the searches of a Gemini answer', () => {
  it.each([
    [['', 'a'], 1],
    [[''], undefined],
    [[' ', null, 3], undefined],
    [['a', 'b', 'a'], 2],
  ])('charges the queries %j as %s', async (webSearchQueries, searches) => {
    const candidate = {
      content: { parts: [{ text: 'ok' }] },
      finishReason: 'STOP',
      groundingMetadata: { webSearchQueries },
    };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5 };
    gemini.handler = (res) => answerJson(res, { responseId: 'g1', candidates: [candidate], usageMetadata });
    const body = ask('go', { tools: [{ type: 'web' }] });
    const { usage } = await system.answer(body, { modelId: 'gemini-web' });
    expect(usage.web_search_requests).toBe(searches);
  });
});

describe('the searches of an answer in the Messages dialect', () => {
  it('shows them as uses of a server tool', async () => {
    const candidate = {
      content: { parts: [{ text: 'ok' }] },
      finishReason: 'STOP',
      groundingMetadata: { webSearchQueries: ['a', 'b'] },
    };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5 };
    gemini.handler = (res) => answerJson(res, { responseId: 'g1', candidates: [candidate], usageMetadata });
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const body = { ...claudeChat, model: 'gemini-web', tools };
    const options = { modelId: 'gemini-web', dialect: Dialect.ANTHROPIC_MESSAGES };
    const { usage } = await system.answer(body, options);
    expect(usage.server_tool_use).toEqual({ web_search_requests: 2, web_fetch_requests: 0 });
  });
});

describe('usage in the event of a failed response', () => {
  const usage = { input_tokens: 100, output_tokens: 20 };
  const failed = {
    type: 'response.failed',
    response: { id: 'r1', status: 'failed', error: { code: 'x', message: 'no' }, usage },
  };

  function fail(...output: object[]) {
    gpt.handler = (res) => {
      const send = openStream(res);
      send({ type: 'response.created', response: { id: 'r1', status: 'in_progress' } });
      for (const event of output) send(event);
      send(failed);
      res.end();
    };
  }

  it.each([
    ['forwarded', { model: 'test-mini', input: 'hi' }, { modelId: 'test-mini', dialect: Dialect.OPENAI_RESPONSES }],
    ['converted', ask('hi', { tools: [{ type: 'web' }] }), { modelId: 'gpt-web' }],
  ])('charges it after output of a %s stream', async (_form, body, options) => {
    fail({ type: 'response.output_text.delta', output_index: 0, delta: '12345678' });
    const settled = await settle(body, { ...options, stream: true });
    expect(settled).toMatchObject({ inputTokens: 100n, outputTokens: 20n, estimated: false });
  });

  it('charges nothing when there was no output', async () => {
    fail();
    const settled = await settle(
      { model: 'test-mini', input: 'hi' },
      {
        modelId: 'test-mini',
        dialect: Dialect.OPENAI_RESPONSES,
        stream: true,
      },
    );
    expect(settled).toMatchObject({ inputTokens: 0n, outputTokens: 0n });
  });
});

describe('usage in answers', () => {
  const reported = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

  function answerWith(usage: object | undefined): void {
    gpt.handler = (res) => {
      const message = { role: 'assistant', content: 'hello' };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      answerJson(res, { id: 'c1', model: 'gpt', choices, ...(usage && { usage }) });
    };
  }

  it.each<[string, object, TurnOptions]>([
    ['native', ask('hi'), asNative],
    ['chat', chat, asChat],
    ['Responses', { model: 'test-mini', input: 'hi' }, { dialect: Dialect.OPENAI_RESPONSES }],
    ['Messages', { ...chat, max_tokens: 9 }, { modelId: 'test-mini', dialect: Dialect.ANTHROPIC_MESSAGES }],
  ])('marks it in a %s answer only if it is estimated', async (_, body, options) => {
    const modelId = 'test-mini';
    const isResponses = options.dialect === Dialect.OPENAI_RESPONSES;
    if (isResponses) gpt.handler = (res) => answerJson(res, { id: 'r1', status: 'completed', output: [] });
    else answerWith(undefined);
    const estimated = await system.answer(body, { ...options, modelId });
    expect(estimated.usage).toMatchObject({ estimated: true });
    if (isResponses) return;
    answerWith(reported);
    const { usage } = await system.answer(body, { ...options, modelId });
    expect(usage).not.toHaveProperty('estimated');
  });

  it('marks the usage at the end of a stream', async () => {
    gpt.handler = (res) => {
      const send = openStream(res);
      send(chunk({ content: 'hello' }));
      send(chunk({}, 'stop'));
      res.end('data: [DONE]\n\n');
    };
    const body = { ...chat, stream: true, stream_options: { include_usage: true } };
    const frames = await collect(system.turn(body, { ...asChat, stream: true }));
    expect(frames.flatMap(decodeEvents).join()).toContain('"estimated":true');
  });
});
