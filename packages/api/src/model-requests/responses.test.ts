import { describe, expect, it } from '@jest/globals';
import { offeredFunction, toolDefinition } from '@tollgate/tools';
import { chatCompletionsBody, chatMaxOutputTokens } from '../compatible/chat.js';
import { inputOfChat, inputOfResponses } from './request-input.js';
import { responsesBody } from './responses.js';

const user = { type: 'message', role: 'user', content: [{ type: 'text', text: 'hi' }] };
const functionTool = { type: 'function', function: { name: 'kv.get' } };

function withFile(file: object, part: object = {}): object {
  return { input: [{ ...user, content: [{ type: 'file', file, ...part }] }] };
}

describe('body of /responses', () => {
  it('accepts media types in any case and keeps them', () => {
    const parsed = responsesBody.parse(withFile({ data_base64: 'AAAA', mime_type: 'Image/PNG' }));
    expect(parsed.input[0]?.content).toMatchObject([{ file: { mime_type: 'Image/PNG' } }]);
  });

  it('accepts every field of the contract and drops others', () => {
    const body = {
      input: [
        { type: 'message', role: 'system', content: [{ type: 'text', text: 'x', logprobs: [{ token: 'x' }] }] },
        user,
        {
          type: 'message',
          role: 'assistant',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'kv.get', arguments: '{}' } }],
        },
        { type: 'message', role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: '1' }] },
      ],
      model: 'sandbox/echo-1',
      provider: 'sandbox',
      output_format: { type: 'json_schema', json_schema: { name: 'd', schema: { type: 'object' }, strict: true } },
      max_output_tokens: 1,
      temperature: 2,
      stop: ['a'],
      tools: [functionTool, { type: 'image_generation', image_generation: { model: 'm' } }, { type: 'web', web: {} }],
      tool_choice: { type: 'required', function: 'kv.get' },
      state_id: 'a0000000-0000-4000-8000-000000000001',
      reasoning_effort: 'none',
    };
    expect(responsesBody.parse({ ...body, extra: 1 })).toEqual(body);
  });

  it.each([
    ['no input', {}],
    ['empty input', { input: [] }],
    ['a role of another kind', { input: [{ ...user, role: 'developer' }] }],
    ['a message without type', { input: [{ role: 'user', content: user.content }] }],
    ['a message without content', { input: [{ type: 'message', role: 'user' }] }],
    ['a tool result without its call', { input: [{ ...user, role: 'tool' }] }],
    ['a tool call of a user', { input: [{ ...user, tool_calls: [{ id: 'c', type: 'function' }] }] }],
    ['a part of another kind', { input: [{ ...user, content: [{ type: 'image' }] }] }],
    ['a file with more members', withFile({ data_base64: 'AAAA', mime_type: 'image/png', url: 'x' })],
    ['a file part with more members', withFile({ data_base64: 'AAAA', mime_type: 'image/png' }, { detail: 'low' })],
    ['a file without its type', withFile({ data_base64: 'AAAA' })],
    ['a file of no media type', withFile({ data_base64: 'AAAA', mime_type: 'png' })],
    ['a file with broken padding', withFile({ data_base64: 'AA=A', mime_type: 'image/png' })],
    ['a file of url-safe base64', withFile({ data_base64: 'AA-_', mime_type: 'image/png' })],
    ['an unknown provider', { input: [user], provider: 'acme' }],
    ['no tokens', { input: [user], max_output_tokens: 0 }],
    ['half a token', { input: [user], max_output_tokens: 1.5 }],
    ['too warm', { input: [user], temperature: 2.1 }],
    ['too many stops', { input: [user], stop: Array(9).fill('x') }],
    ['too long a stop', { input: [user], stop: ['x'.repeat(129)] }],
    ['a tool without its function', { input: [user], tools: [{ type: 'function' }] }],
    ['a tool declared twice', { input: [user], tools: [functionTool, functionTool] }],
    [
      'two image tools',
      { input: [user], tools: Array(2).fill({ type: 'image_generation', image_generation: { model: 'm' } }) },
    ],
    ['an image tool without a model', { input: [user], tools: [{ type: 'image_generation' }] }],
    [
      'a choice of an absent tool',
      { input: [user], tools: [functionTool], tool_choice: { type: 'auto', function: 'x' } },
    ],
    ['a required tool without tools', { input: [user], tool_choice: { type: 'required' } }],
    ['a schema format without a schema', { input: [user], output_format: { type: 'json_schema' } }],
    ['a schema without a name', { input: [user], output_format: { type: 'json_schema', json_schema: { schema: {} } } }],
    [
      'a tool declared in both spellings',
      { input: [user], tools: [functionTool, { type: 'function', function: { name: 'kv_get' } }] },
    ],
    [
      'an image tool without its type',
      { input: [user], tools: [{ type: 'function', function: { name: 'image.generation' } }] },
    ],
    [
      'two storage contexts',
      {
        input: [user],
        state_id: 'a0000000-0000-4000-8000-000000000001',
        session_id: 'a0000000-0000-4000-8000-000000000002',
      },
    ],
    ['a session id that is not a UUID', { input: [user], session_id: 'x' }],
    ['a state id that is not a UUID', { input: [user], state_id: 'x' }],
    ['an effort of another kind', { input: [user], reasoning_effort: 'max' }],
  ])('refuses %s', (_what, body) => {
    expect(responsesBody.safeParse(body).success).toBe(false);
  });

  it('accepts a tool choice in the other spelling, and of the image tool', () => {
    const image = { type: 'image_generation', image_generation: { model: 'm' } };
    for (const [tools, name] of [
      [[functionTool], 'kv_get'],
      [[image], 'image_generation'],
    ]) {
      const body = { input: [user], tools, tool_choice: { type: 'required', function: name } };
      expect(responsesBody.safeParse(body).success).toBe(true);
    }
  });

  it('checks 20 MB of base64 without a stack overflow', () => {
    const file = { data_base64: 'A'.repeat(20 * 1024 * 1024), mime_type: 'application/pdf' };
    expect(responsesBody.safeParse(withFile(file)).success).toBe(true);
  });
});

describe('body of chat completions', () => {
  const messages = [{ role: 'user', content: 'hi' }];

  it('keeps unknown fields', () => {
    const body = { model: 'm', messages, seed: 1, logit_bias: { 5: 1 }, max_tokens: 4, max_completion_tokens: null };
    const parsed = chatCompletionsBody.parse(body);
    expect(parsed).toEqual(body);
    expect(chatMaxOutputTokens(parsed)).toBe(4);
  });

  it.each([
    ['no messages', {}],
    ['a role of another kind', { messages: [{ role: 'robot', content: 'x' }] }],
    ['a tool result without its call', { messages: [{ role: 'tool', content: 'x' }] }],
    ['too many choices', { messages, n: 129 }],
    ['a choice of an absent tool', { messages, tool_choice: { type: 'function', function: { name: 'x' } } }],
    ['a required tool without tools', { messages, tool_choice: 'required' }],
    ['no tokens', { messages, max_tokens: 0 }],
  ])('refuses %s', (_what, body) => {
    expect(chatCompletionsBody.safeParse(body).success).toBe(false);
  });
});

describe('what a model reads', () => {
  it('yields the same input from both dialects for the same conversation', () => {
    const native = responsesBody.parse({
      input: [
        user,
        {
          type: 'message',
          role: 'assistant',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
      ],
    });
    const chat = chatCompletionsBody.parse({
      messages: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
      ],
    });
    expect(inputOfResponses(native)).toEqual({ messages: ['hi', 'f{}'] });
    expect(inputOfChat(chat)).toEqual(inputOfResponses(native));
  });

  it('counts server-side tools as they are offered', () => {
    const tools = [
      { type: 'function', function: { name: 'kv.read' } },
      { type: 'image_generation', image_generation: { model: 'm' } },
    ];
    const { extras } = inputOfResponses(responsesBody.parse({ input: [user], tools }));
    expect(extras).toEqual([
      JSON.stringify({ type: 'function', function: offeredFunction({ name: 'kv.read' }) }),
      JSON.stringify(toolDefinition('image_generation')),
    ]);
  });

  it('counts tools, schemas and files separately', () => {
    const file = { data_base64: 'AAAA', mime_type: 'image/png' };
    const input = inputOfResponses(responsesBody.parse({ ...withFile(file), tools: [functionTool] }));
    expect(input).toEqual({
      messages: [''],
      extras: [JSON.stringify(functionTool)],
      files: [{ mimeType: 'image/png', bytes: 3 }],
    });
  });
});
