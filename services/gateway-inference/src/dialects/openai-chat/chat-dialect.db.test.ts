import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChatCompletionsBody, chatCompletionsBody } from '@tollgate/api/compatible';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { NOTHING_SERVED } from '../../domain/usage.js';
import { InferenceSystem } from '../../testing/inference-system.js';
import { chatDialect } from './chat-dialect.js';

let system: InferenceSystem;

beforeAll(async () => {
  system = await InferenceSystem.start();
});

afterAll(() => system.stop());

const chat = { dialect: Dialect.OPENAI_CHAT };
const tools = [{ type: 'function', function: { name: 'clock', parameters: { type: 'object' } } }];

function ask(content: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: 'echo-1', messages: [{ role: 'user', content }], ...more };
}

describe('chat completions of a provider that speaks another dialect', () => {
  it('has the form of the dialect', async () => {
    const requestId = 'a0000000-0000-4000-8000-000000000002';
    const answer = await system.answer(ask('hi'), { ...chat, requestId });
    expect(answer).toEqual({
      id: `sandbox-${requestId}`,
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'echo-1',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Echo: hi', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 2,
        total_tokens: 7,
        prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    });
  });

  it('streams the role first, one finish reason, usage only if requested, and [DONE]', async () => {
    const parse = (events: string[]) => events.map((data) => (data === '[DONE]' ? data : JSON.parse(data)));
    const events = parse(await system.events(ask('hi', { stream_options: { include_usage: true } }), chat));
    expect(events[0].choices[0].delta).toEqual({ role: 'assistant', content: '', refusal: null });
    const finished = events.filter((event) => event.choices?.[0]?.finish_reason);
    expect(finished).toMatchObject([{ choices: [{ delta: {}, finish_reason: 'stop' }] }]);
    expect(events.at(-2)).toMatchObject({ choices: [], usage: { total_tokens: 7 } });
    expect(events.at(-1)).toBe('[DONE]');
    expect(new Set(events.slice(0, -1).map(({ id }) => id)).size).toBe(1);
    const unasked = parse(await system.events(ask('hi'), chat));
    expect(unasked.some((event) => event.usage)).toBe(false);
  });

  it('streams a tool call with its id and name once, and its arguments by index', async () => {
    const events = await system.events(ask('call tool clock', { tools }), chat);
    const deltas = events
      .slice(0, -1)
      .map((data) => JSON.parse(data).choices[0].delta.tool_calls?.[0])
      .filter(Boolean);
    expect(deltas[0]).toEqual({
      index: 0,
      id: expect.any(String),
      type: 'function',
      function: { name: 'clock', arguments: '' },
    });
    for (const delta of deltas.slice(1)) expect(Object.keys(delta)).toEqual(['index', 'function']);
    expect(JSON.parse(events.at(-2)!).choices[0].finish_reason).toBe('tool_calls');
  });

  it('sends a schema with free-form maps unchanged if it is not strict', () => {
    const schema = { type: 'object', additionalProperties: { type: 'string' } };
    const body = (strict?: boolean) =>
      chatCompletionsBody.parse({
        ...ask('hi'),
        response_format: { type: 'json_schema', json_schema: { name: 'd', schema, strict } },
      });
    expect(chatDialect.toModelRequest(body(false)).outputFormat?.json_schema).toMatchObject({ schema, strict: false });
    const refusal = expect.objectContaining({ code: 'VALIDATION_ERROR' });
    for (const strict of [true, undefined]) expect(() => chatDialect.toModelRequest(body(strict))).toThrow(refusal);
  });

  it('accepts images by their URL, and counts each as one', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    const plain = await system.answer(ask([{ type: 'text', text: 'see' }]), chat);
    const answer = await system.answer(ask([{ type: 'text', text: 'see' }, image]), chat);
    expect(answer.choices[0].message.content).toBe('Echo: see [1 file]');
    expect(answer.usage.prompt_tokens - plain.usage.prompt_tokens).toBe(256);
  });

  it('accepts files as data URLs', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const answer = await system.answer(ask([{ type: 'text', text: 'see' }, image]), chat);
    expect(answer.choices[0].message.content).toBe('Echo: see [1 file]');
  });

  it('accepts hints, and options without an effect', async () => {
    const nothing = { logprobs: false, top_logprobs: 0, logit_bias: {}, frequency_penalty: 0, presence_penalty: null };
    const answer = await system.answer(ask('hi', { ...nothing, seed: 1, user: 'u', verbosity: 'low' }), chat);
    expect(answer.choices[0].message.content).toBe('Echo: hi');
  });

  it.each([
    ['log probabilities', ask('hi', { logprobs: true })],
    ['audio answers', ask('hi', { modalities: ['text', 'audio'] })],
    ['the likeliest tokens', ask('hi', { top_logprobs: 2 })],
    ['a bias', ask('hi', { logit_bias: { 5: 1 } })],
    ['a penalty for what was said often', ask('hi', { frequency_penalty: 0.5 })],
    ['a penalty for what was said', ask('hi', { presence_penalty: -1 })],
    ["searches of the vendor's own", ask('hi', { search_parameters: { mode: 'on' } })],
    ['a prediction', ask('hi', { prediction: { type: 'content', content: 'Echo' } })],
    ['a reasoning effort of another kind', ask('hi', { reasoning_effort: 'ultra' })],
  ])('rejects %s instead of ignoring it', async (_what, body) => {
    await expect(system.answer(body, chat)).rejects.toMatchObject({ status: 400 });
  });
});

it('reports a refusal as one, and text before it as filtered', () => {
  const info: TurnInfo = { requestId: 'r1', model: 'm', provider: 'anthropic', startedAt: 1_000 };
  const body = ask('hi') as ChatCompletionsBody;
  const refused: ModelAnswer = { responseId: '', stopReason: 'refusal', text: '', toolCalls: [], usage: undefined };
  const streamRefusal = (...said: string[]) => {
    const writer = chatDialect.openStream(info, body, () => 0);
    for (const text of said) writer.text(text);
    const events = writer.end(refused, NOTHING_SERVED, []).slice(0, -1);
    return events
      .map(({ data }) => JSON.parse(data).choices[0])
      .map(({ delta, finish_reason: finish }) => [delta, finish]);
  };
  const refusal = expect.stringMatching(/./);
  expect(streamRefusal()).toEqual([
    [{ refusal }, null],
    [{}, 'stop'],
  ]);
  expect(streamRefusal('so')).toEqual([[{}, 'content_filter']]);
  const plain = JSON.parse(chatDialect.writeAnswer(info, refused, NOTHING_SERVED, body));
  expect(plain.choices[0]).toMatchObject({ message: { content: null, refusal }, finish_reason: 'stop' });
});

describe('a request in the chat dialect', () => {
  const body = (more: object) => ({ ...ask('hi'), ...more }) as ChatCompletionsBody;

  it('offers only the allowed tools', () => {
    const named = (name: string) => ({ type: 'function', function: { name } });
    const choice = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [named('b')] } };
    const request = chatDialect.toModelRequest(body({ tools: [named('a'), named('b')], tool_choice: choice }));
    expect(request.tools.map(({ name }) => name)).toEqual(['b']);
    expect(request.toolChoice).toEqual({ type: 'required' });
  });

  it('keeps the refusals of the assistant, and counts them', () => {
    const refused = body({ messages: [{ role: 'assistant', content: null, refusal: 'I will not' }] });
    expect(chatDialect.toModelRequest(refused).messages).toMatchObject([
      { role: 'assistant', content: [{ type: 'text', text: 'I will not' }] },
    ]);
    expect(chatDialect.input(refused).messages).toEqual(['I will not']);
  });

  it('does not forward tool names that the vendor rejects', () => {
    const tool = (name: string) => ({ tools: [{ type: 'function', function: { name } }] });
    expect(chatDialect.canForward?.(body(tool('a.b')))).toBe(false);
    expect(chatDialect.canForward?.(body(tool('a_b')))).toBe(true);
  });
});
