// Tests servers that report no usage and are asked to count the tokens with the model's own tokenizer.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { until } from '../../testing/condition.js';
import { ask, collect, decodeEvents, InferenceSystem, type TurnOptions } from '../../testing/inference-system.js';
import {
  type ReceivedRequest,
  startUpstreamServer,
  type UpstreamHandler,
  type UpstreamServer,
} from '../../testing/upstream-server.js';

const message = { role: 'user', content: 'hi' };
const chat = { model: 'test-mini', messages: [message] };
const asChat: TurnOptions = { modelId: 'test-mini', dialect: Dialect.OPENAI_CHAT };
const asNative: TurnOptions = { modelId: 'test-mini' };
const TURNS: [string, object, TurnOptions][] = [
  ['forwarded stream', { ...chat, stream: true, stream_options: { include_usage: true } }, { ...asChat, stream: true }],
  ['forwarded answer', chat, asChat],
  ['converted stream', ask('hi'), { ...asNative, stream: true }],
  ['converted answer', ask('hi'), asNative],
];

let server: UpstreamServer;
let counter: UpstreamHandler;
/** Further members of a plain answer. */
let more = {};

/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Answers "yes" to every chat request, without usage. */
function answer(res: Parameters<UpstreamHandler>[0], { body }: ReceivedRequest): void {
  if (body.stream) {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunks = [choice({ delta: { content: 'y' }, finish_reason: null }), choice({ delta: { content: 'es' } })];
    for (const each of chunks) res.write(`data: ${JSON.stringify({ id: 'c1', choices: [each] })}\n\n`);
    res.end('data: [DONE]\n\n');
  } else {
    sendJson(res, { id: 'c1', choices: [choice({ message: { role: 'assistant', content: 'yes' } })], ...more });
  }
}

function choice(content: object): object {
  return { index: 0, finish_reason: 'stop', ...content };
}

function sendJson(res: Parameters<UpstreamHandler>[0], body: object): void {
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

const vllm: UpstreamHandler = (res, { body }) => sendJson(res, { count: 'messages' in body ? 41 : 3, tokens: [] });

const llamaCpp: UpstreamHandler = (res, { path, body }) => {
  if (path === '/apply-template') return sendJson(res, { prompt: '<user>hi<assistant>' });
  sendJson(res, { tokens: Array(body.content === '<user>hi<assistant>' ? 41 : 3).fill(1) });
};

function startSystem(env: Record<string, string>): Promise<InferenceSystem> {
  return InferenceSystem.start({ OPENAI_BASE_URL: server.baseUrl, CIRCUIT_FAILURES_MAX: '1000', ...env });
}

async function run(system: InferenceSystem, body: object, options: TurnOptions) {
  const call = system.call();
  const frames = await collect(system.turn(body, options, call));
  const text = frames.flatMap(decodeEvents).join('\n');
  return { text, usage: system.ledger.findSettlement(call.requestId).usage };
}

const countRequests = () => server.requests.filter(({ path }) => !path.endsWith('/chat/completions'));

beforeAll(async () => {
  server = await startUpstreamServer((res, received, req) =>
    received.path.endsWith('/chat/completions') ? answer(res, received) : counter(res, received, req),
  );
});
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
});

describe.each<[string, UpstreamHandler, object[]]>([
  [
    'vllm',
    vllm,
    [
      { path: '/tokenize', body: { model: 'gpt-4o-mini', messages: [message], add_generation_prompt: true } },
      { path: '/tokenize', body: { model: 'gpt-4o-mini', prompt: 'yes', add_special_tokens: false } },
    ],
  ],
  [
    'llama.cpp',
    llamaCpp,
    [
      { path: '/apply-template', body: { messages: [message] } },
      { path: '/tokenize', body: { content: '<user>hi<assistant>', add_special: true } },
      { path: '/tokenize', body: { content: 'yes', add_special: false } },
    ],
  ],
])('a server of the form %s that reports no usage', (form, handler, expected) => {
  let system: InferenceSystem;
  beforeAll(async () => {
    system = await startSystem({ OPENAI_TOKENIZE: form, OPENAI_API_KEY: 'sk-test' });
  });
  afterAll(() => system.stop());
  beforeEach(() => {
    counter = handler;
  });

  it.each(TURNS)('counts the tokens of a %s', async (name, body, options) => {
    const { text, usage } = await run(system, body, options);
    expect(usage).toMatchObject({ inputTokens: 41n, outputTokens: 3n, estimated: false });
    expect(text).not.toContain('estimated');
    // Forwarded events stay as they are: no event of this stream has usage.
    if (!name.startsWith('forwarded stream')) expect(text).toMatch(/"(input|prompt)_tokens":41/);
    const sent = countRequests().map(({ path, body: asked }) => ({ path, body: asked }));
    expect(sent).toEqual(expect.arrayContaining(expected.map((each) => expect.objectContaining(each))));
    expect(sent).toHaveLength(expected.length);
    expect(countRequests()[0]?.headers.authorization).toBe('Bearer sk-test');
  });
});

describe('a server that cannot count', () => {
  let system: InferenceSystem;
  beforeAll(async () => {
    system = await startSystem({ OPENAI_TOKENIZE: 'vllm' });
  });
  afterAll(() => system.stop());

  it.each<[string, UpstreamHandler]>([
    ['has no such endpoint', (res) => res.writeHead(404).end()],
    ['answers with another form', (res) => sendJson(res, { count: '41' })],
    ['answers with an implausible count', (res) => sendJson(res, { count: 1e15 })],
    ['cuts the connection', (res) => res.destroy()],
    ['does not answer', () => undefined],
    ['does not end its answer', (res) => void res.writeHead(200).write('{')],
  ])('leaves the marked estimate when it %s', async (_what, handler) => {
    counter = handler;
    for (const [, body, options] of TURNS.slice(1)) {
      const { text, usage } = await run(system, body, options);
      expect(usage).toMatchObject({ estimated: true, outputTokens: 1n });
      expect(text).toContain('"estimated":true');
    }
  });

  it('gets no request about a prompt with files', async () => {
    counter = vllm;
    const image_url = { url: `data:image/png;base64,${PNG}` };
    const content = [
      { type: 'text', text: 'hi' },
      { type: 'image_url', image_url },
    ];
    const { usage } = await run(system, { ...chat, messages: [{ role: 'user', content }] }, asChat);
    expect(usage).toMatchObject({ estimated: true });
    expect(countRequests()).toEqual([]);
  });

  it('does not keep a client waiting that has left', async () => {
    let closed = 0;
    counter = (res) => void res.on('close', () => closed++);
    const left = new AbortController();
    const turn = collect(system.turn(chat, { ...asChat, signal: left.signal }));
    await until('asked', () => countRequests().length > 0);
    left.abort();
    await expect(turn).rejects.toThrow();
    await until('closed', () => closed > 0);
  });
});

describe('a server that is not asked', () => {
  it.each<[string, Record<string, string>, object]>([
    ['no setting names its form', {}, {}],
    ['it reports usage', { OPENAI_TOKENIZE: 'vllm' }, { usage: { prompt_tokens: 7, completion_tokens: 2 } }],
  ])('gets no further request when %s', async (_when, env, reported) => {
    counter = vllm;
    more = reported;
    const system = await startSystem(env);
    const { usage } = await run(system, chat, asChat);
    await system.stop();
    more = {};
    expect(usage).toMatchObject('usage' in reported ? { inputTokens: 7n, estimated: false } : { estimated: true });
    expect(countRequests()).toEqual([]);
  });
});
