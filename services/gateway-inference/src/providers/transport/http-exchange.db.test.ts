import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { ask, InferenceSystem } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamHandler, type UpstreamServer } from '../../testing/upstream-server.js';

let upstream: UpstreamServer;
let system: InferenceSystem;

beforeAll(async () => {
  upstream = await startUpstreamServer(whole);
  system = await InferenceSystem.start({ OPENAI_BASE_URL: upstream.baseUrl });
});

afterAll(async () => {
  await system.stop();
  await upstream.stop();
});

function answerWith(type: string, body: string): UpstreamHandler {
  return (res) => {
    res.writeHead(200, { 'content-type': type });
    res.end(body);
  };
}

const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
const call = { id: 'c1', type: 'function', function: { name: 'clock', arguments: '{"a":1}' } };
const whole = answerWith(
  'application/json',
  JSON.stringify({
    id: 'r1',
    model: 'm',
    choices: [
      { index: 0, message: { role: 'assistant', content: 'Hi', tool_calls: [call] }, finish_reason: 'tool_calls' },
    ],
    usage,
  }),
);
const chunks = [
  { choices: [{ index: 0, delta: { content: 'Hi' } }] },
  { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage },
].map((chunk) => JSON.stringify({ id: 'r1', model: 'm', ...chunk }));

function toStream(...data: readonly string[]): UpstreamHandler {
  return answerWith('text/event-stream', [...data, '[DONE]'].map((each) => `data: ${each}\n\n`).join(''));
}

const chatBody = {
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  tools: [{ type: 'function', function: { name: 'clock', parameters: { type: 'object', properties: {} } } }],
};
const chat = { modelId: 'test-mini', dialect: Dialect.OPENAI_CHAT };

describe('a server that ignores whether a stream was requested', () => {
  it('gets its whole answer streamed to the client', async () => {
    upstream.handler = whole;
    const requestId = 'a0000000-0000-4000-8000-000000000003';
    const events = await system.events({ ...chatBody, stream: true }, { ...chat, requestId });
    const read = events.filter((data) => data !== '[DONE]').map((data) => JSON.parse(data).choices[0]);
    expect(read.map(({ delta }) => delta?.content ?? '').join('')).toBe('Hi');
    const calls = read.flatMap(({ delta }) => delta?.tool_calls ?? []);
    expect(calls[0]).toMatchObject({ index: 0, id: 'c1', function: { name: 'clock' } });
    expect(calls.map((each) => each.function.arguments ?? '').join('')).toBe('{"a":1}');
    expect(read.at(-1)).toMatchObject({ finish_reason: 'tool_calls' });
    expect(system.ledger.findSettlement(requestId)).toMatchObject({ usage: { inputTokens: 7n, outputTokens: 5n } });
  });

  it('gets its stream collected for the client', async () => {
    upstream.handler = toStream(...chunks);
    const requestId = 'a0000000-0000-4000-8000-000000000004';
    const answer = await system.answer(chatBody, { ...chat, requestId });
    expect(answer).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { content: 'Hi', tool_calls: [call] }, finish_reason: 'tool_calls' }],
      usage,
    });
    expect(system.ledger.findSettlement(requestId)).toMatchObject({ usage: { inputTokens: 7n, outputTokens: 5n } });
  });

  it('gets its answer read in other dialects too', async () => {
    upstream.handler = whole;
    expect((await system.events(ask('hi'), { modelId: 'test-mini' })).join('')).toContain('"Hi"');
    upstream.handler = toStream(...chunks);
    const answer = await system.answer(ask('hi'), { modelId: 'test-mini' });
    expect(answer.output[0].content[0].text).toBe('Hi');
  });
});

it('forwards an event that came on several lines on one', async () => {
  const [first = '', ...others] = chunks;
  const lines = first.replace('"choices"', '\ndata: "choices"');
  upstream.handler = toStream(lines, ...others);
  const events = await system.events({ ...chatBody, stream: true }, chat);
  expect(events.every((data) => !data.includes('\n'))).toBe(true);
  expect(events.join('')).toContain('"content":"Hi"');
});

it.each([
  [true, 'the provider answered with HTML, not with an event stream'],
  [false, 'the provider answered with HTML, not with JSON'],
])('reports HTML with status 200 as such (stream: %s), and charges nothing', async (stream, detail) => {
  upstream.handler = answerWith('text/html; charset=utf-8', '<!doctype html><title>Sign in</title>');
  const requestId = `a0000000-0000-4000-8000-00000000000${stream ? 1 : 2}`;
  const options = { modelId: 'test-mini', requestId };
  const asked = stream ? system.events(ask('hi'), options) : system.answer(ask('hi'), options);
  await expect(asked).rejects.toMatchObject({ code: 'PROVIDER_ERROR', causeKind: 'invalid_response', detail });
  expect(system.ledger.findSettlement(requestId)).toMatchObject({ usage: { inputTokens: 0n }, isInDoubt: false });
});
