// Tests turns whose client speaks the provider's own dialect: its bytes are passed through, and all rules of turns apply.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Dialect, type GenerateResponse } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { until } from '../../testing/condition.js';
import { fixture } from '../../testing/fixtures.js';
import { collect, decodeEvents, InferenceSystem, type TurnOptions } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamHandler, type UpstreamServer } from '../../testing/upstream-server.js';

let claude: UpstreamServer;
let gpt: UpstreamServer;
let system: InferenceSystem;

const messages: TurnOptions = { modelId: 'claude-or-gpt', dialect: Dialect.ANTHROPIC_MESSAGES };
const responses: TurnOptions = { modelId: 'gpt-or-claude', dialect: Dialect.OPENAI_RESPONSES };
const message = { model: 'claude-or-gpt', max_tokens: 900, messages: [{ role: 'user', content: 'hi' }] };
const upload = { type: 'container_upload', file_id: 'file_1' };
const withUpload = { ...message, messages: [{ role: 'user', content: [upload] }] };

beforeAll(async () => {
  claude = await startUpstreamServer(plain('anthropic', 'message-text.json'));
  gpt = await startUpstreamServer(plain('openai', 'response-tools.json'));
  system = await InferenceSystem.start({
    ANTHROPIC_BASE_URL: claude.baseUrl.replace(/\/v1$/, ''),
    OPENAI_BASE_URL: gpt.baseUrl,
    OPENAI_RESPONSES_API: '1',
    CIRCUIT_FAILURES_MAX: '1000',
    SETTLE_WAIT: '3s',
  });
});

afterAll(async () => {
  await system.stop();
  await claude.stop();
  await gpt.stop();
});

beforeEach(() => {
  claude.handler = plain('anthropic', 'message-text.json');
  gpt.handler = plain('openai', 'response-tools.json');
  for (const server of [claude, gpt]) server.requests.length = 0;
});

function plain(vendor: string, name: string): UpstreamHandler {
  return (res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(fixture(vendor, name));
  };
}

function streamed(vendor: string, name: string): UpstreamHandler {
  return (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.end(fixture(vendor, name));
  };
}

function failing(status: number): UpstreamHandler {
  return (res) => {
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end('{"error":{"type":"overloaded_error","message":"no"}}');
  };
}

function listEvents(frames: readonly GenerateResponse[]): string[] {
  return frames.flatMap((frame) => (frame.more.length > 0 ? frame.more.map(({ event }) => event) : [frame.event]));
}

describe('settling of a forwarded answer', () => {
  it.each([false, true])('settles every counter of the provider (stream: %s)', async (stream) => {
    if (stream) claude.handler = streamed('anthropic', 'text.chunks.txt');
    const call = system.call();
    await collect(system.turn(message, { ...messages, stream }, call));
    expect(system.ledger.findSettlement(call.requestId)).toMatchObject({
      usage: {
        inputTokens: 60n,
        cacheReadInputTokens: 30n,
        cacheWriteInputTokens: 20n,
        outputTokens: 25n,
        reasoningTokens: 14n,
        estimated: false,
      },
      facts: { success: true, provider: 'anthropic', responseId: 'msg_01T1' },
    });
  });

  it.each([
    [messages, 'anthropic', 'text.chunks.txt', message, /"text":"👋"/, /message_delta|message_stop/],
    [responses, 'openai', 'response-tools.chunks.txt', { input: 'hi' }, /"fc_2"/, /response\.completed/],
  ] as const)('comes before the end leaves: %j', async (options, vendor, name, body, lastOfOutput, end) => {
    (vendor === 'anthropic' ? claude : gpt).handler = streamed(vendor, name);
    let open: () => void = () => undefined;
    system.ledger.gate = new Promise((resolve) => {
      open = resolve;
    });
    const seen: string[] = [];
    const before = system.ledger.attempts;
    const reading = (async () => {
      for await (const frame of system.turn(body, { ...options, stream: true })) seen.push(...decodeEvents(frame));
    })();
    await until('all output has come', () => system.ledger.attempts > before && seen.some((e) => lastOfOutput.test(e)));
    expect(seen.filter((data) => end.test(data))).toEqual([]);
    system.ledger.gate = undefined;
    open();
    await reading;
    expect(seen.at(-1)).toMatch(end);
  });

  it('withholds the end when settling fails, and reports the error instead', async () => {
    claude.handler = streamed('anthropic', 'text.chunks.txt');
    system.ledger.failNext = 1_000;
    const call = system.call();
    const frames = await collect(system.turn(message, { ...messages, stream: true }, call));
    expect(listEvents(frames).at(-1)).toBe('error');
    expect(listEvents(frames)).not.toContain('message_stop');
    system.ledger.failNext = 0;
    await until('settled later', () => system.ledger.settled.some((req) => req.holdId === call.requestId));
  });

  it('settles the first usage and the delivered output when the reader leaves', async () => {
    const [delivered] = fixture('anthropic', 'text.chunks.txt').split(': keepalive');
    claude.handler = (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(delivered);
    };
    const leaving = new AbortController();
    const call = system.call({ signal: leaving.signal });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const frame of system.turn(message, { ...messages, stream: true }, call))
        seen.push(...decodeEvents(frame));
    })().catch(() => undefined);
    await until('some output', () => seen.some((data) => data.includes('Grüße')));
    leaving.abort(new Error('left'));
    await until('settled', () => system.ledger.settled.some((req) => req.holdId === call.requestId));
    await reading;
    expect(system.ledger.findSettlement(call.requestId).usage).toMatchObject({
      inputTokens: 60n,
      cacheReadInputTokens: 30n,
      outputTokens: 2n,
      estimated: true,
    });
  });
});

describe('a forwarded answer without a plausible figure', () => {
  const chat: TurnOptions = { modelId: 'gpt-or-claude', dialect: Dialect.OPENAI_CHAT };
  const chatBody = { model: 'gpt-or-claude', messages: [{ role: 'user', content: 'hi' }] };
  const choice = { index: 0, message: { role: 'assistant', content: '12345678' }, finish_reason: 'stop' };
  const text = { type: 'output_text', text: '12345678', annotations: [] };
  const output = [{ id: 'msg_1', type: 'message', role: 'assistant', content: [text] }];

  it.each([
    [{}, 'no figure'],
    [{ usage: { prompt_tokens: 1e15, completion_tokens: 2 } }, 'an implausible figure'],
  ])('reports our estimate in a chat completion with %j (%s)', async (more: object, _what: string) => {
    gpt.handler = answering({ id: 'c1', object: 'chat.completion', choices: [choice], ...more });
    const answer = await system.answer(chatBody, chat);
    expect(answer).toMatchObject({ id: 'c1', choices: [choice], usage: { completion_tokens: 2 } });
    expect(answer.usage.prompt_tokens).toBeLessThan(100);
  });

  it('reports our estimate in a message', async () => {
    claude.handler = answering({ id: 'm1', type: 'message', content: [{ type: 'text', text: '12345678' }] });
    expect(await system.answer(message, messages)).toMatchObject({ id: 'm1', usage: { output_tokens: 2 } });
  });

  it('reports our estimate in a response', async () => {
    gpt.handler = answering({ id: 'r1', object: 'response', status: 'completed', output });
    const answer = await system.answer({ input: 'hi' }, responses);
    expect(answer).toMatchObject({ id: 'r1', output, usage: { output_tokens: 2 } });
  });

  it('reports our estimate in the last events of its stream', async () => {
    const usage = { prompt_tokens: 1e15, completion_tokens: 2 };
    gpt.handler = streaming(
      { id: 'c1', choices: [{ index: 0, delta: { content: '12345678' } }] },
      { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { id: 'c1', choices: [], usage },
    );
    const chunks = await system.events({ ...chatBody, stream_options: { include_usage: true } }, chat);
    expect(JSON.parse(chunks.at(-2)!).usage).toMatchObject({ completion_tokens: 2 });
    expect(chunks.join()).not.toContain('1000000000000000');
    claude.handler = streaming(
      { type: 'message_start', message: { id: 'm1', content: [], usage: { input_tokens: 9, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '12345678' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1e15 } },
      { type: 'message_stop' },
    );
    const events = (await system.events(message, messages)).map((data) => JSON.parse(data));
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: 'end_turn' },
      usage: { input_tokens: 9, output_tokens: 2 },
    });
    gpt.handler = streaming(
      { type: 'response.created', response: { id: 'r1' } },
      { type: 'response.output_text.delta', delta: '12345678' },
      { type: 'response.completed', response: { id: 'r1', status: 'completed', output } },
    );
    const last = JSON.parse((await system.events({ input: 'hi' }, responses)).at(-1)!);
    expect(last.response).toMatchObject({ id: 'r1', output, usage: { output_tokens: 2 } });
  });
});

function answering(body: object): UpstreamHandler {
  return (res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify(body));
  };
}

function streaming(...events: object[]): UpstreamHandler {
  return (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  };
}

describe('routes of a client that speaks a vendor`s dialect', () => {
  it('forwards to routes of that vendor, and converts for others', async () => {
    gpt.handler = plain('openai', 'chat-text.json');
    await system.answer({ ...message, metadata: { user_id: 'u' } }, messages);
    expect(claude.requests[0]?.body).toMatchObject({ metadata: { user_id: 'u' }, model: 'claude-sonnet-5-5' });
    claude.handler = failing(529);
    expect(await system.answer({ ...message, metadata: { user_id: 'u' } }, messages)).toMatchObject({
      type: 'message',
    });
    expect([gpt.requests[0]?.path, gpt.requests[0]?.body.metadata]).toEqual(['/v1/chat/completions', undefined]);
  });

  it('asks the next route, once, when a stream fails before its first block', async () => {
    claude.handler = streamed('anthropic', 'error-before-output.chunks.txt');
    gpt.handler = streamed('openai', 'text.chunks.txt');
    const call = system.call();
    const names = listEvents(await collect(system.turn(message, { ...messages, stream: true }, call)));
    expect(names.filter((name) => name === 'message_start')).toHaveLength(1);
    expect(names.at(-1)).toBe('message_stop');
    expect(system.ledger.findSettlement(call.requestId).facts?.provider).toBe('openai');
  });

  it('asks no other route once events of the provider have left', async () => {
    claude.handler = streamed('anthropic', 'error-mid-stream.chunks.txt');
    const names = listEvents(await collect(system.turn(message, { ...messages, stream: true })));
    expect(names.at(-1)).toBe('error');
    expect(gpt.requests).toHaveLength(0);
  });

  it('continues a stream that was started by conversion without forwarding', async () => {
    // Opens and fails, so that the stream has started when the vendor of the dialect is asked.
    gpt.handler = (res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.end('data: {"error":{"message":"overloaded","code":503}}\n\n');
    };
    claude.handler = streamed('anthropic', 'text.chunks.txt');
    const names = listEvents(
      await collect(system.turn(message, { ...messages, modelId: 'gpt-or-claude', stream: true })),
    );
    expect(claude.requests).toHaveLength(1);
    expect(names.filter((name) => name === 'message_start')).toHaveLength(1);
    expect(names.at(-1)).toBe('message_stop');
  });

  it('skips other vendors for options that only one supports, and rejects them without that vendor', async () => {
    await system.answer(withUpload, { ...messages, modelId: 'gpt-or-claude' });
    expect([gpt.requests.length, claude.requests.length]).toEqual([0, 1]);
    await expect(system.answer(withUpload, { ...messages, modelId: 'test-mini' })).rejects.toMatchObject({
      code: 'MODEL_CAPABILITY_UNSUPPORTED',
      message: expect.stringContaining('container_upload'),
    });
  });

  it('reports the failure of the vendor, not the missing capability of the next provider', async () => {
    claude.handler = failing(529);
    await expect(system.answer(withUpload, messages)).rejects.toMatchObject({
      code: 'PROVIDER_ERROR',
      upstreamStatus: 529,
    });
    expect(gpt.requests).toHaveLength(0);
  });

  it('caches converted answers only, and no request that cannot be converted', async () => {
    const cold = { ...message, temperature: 0, metadata: { user_id: 'u' } };
    await system.answer(cold, { ...messages, modelId: 'claude-older', usesCache: true });
    expect(claude.requests[0]?.body).not.toHaveProperty('metadata');
    await system.answer({ ...withUpload, temperature: 0 }, { ...messages, modelId: 'claude-older', usesCache: true });
    expect(claude.requests[1]?.body.messages).toEqual(withUpload.messages);
  });

  it('converts for a server that has only the older dialect of OpenAI', async () => {
    const older = await InferenceSystem.start({ OPENAI_BASE_URL: gpt.baseUrl });
    gpt.handler = plain('openai', 'chat-text.json');
    await older.answer({ input: 'hi' }, { ...responses, modelId: 'test-mini' });
    await older.stop();
    expect(gpt.requests[0]?.path).toBe('/v1/chat/completions');
  });
});

it('forwards the betas of its client that cost nothing', async () => {
  const betas = ['interleaved-thinking-2025-05-14', 'context-1m-2025-08-07'];
  await collect(system.turn(message, { ...messages, betas }));
  await collect(system.turn(message, messages));
  const passed = claude.requests.map(({ headers }) => headers['anthropic-beta']);
  expect(passed).toEqual(['interleaved-thinking-2025-05-14', undefined]);
});
