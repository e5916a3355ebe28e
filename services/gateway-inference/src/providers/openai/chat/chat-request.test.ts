import { describe, expect, it } from '@jest/globals';
import type { ModelCall } from '../../contract/provider.js';
import { fitChatBody, forwardedChatRequest } from './chat-request.js';

const tools = [{ type: 'function', function: { name: 'look' } }];

describe('quirks of a server', () => {
  it('changes nothing without any', () => {
    const body = { max_tokens: 1, seed: 2, stream_options: { include_usage: true }, tools, tool_choice: 'required' };
    expect(fitChatBody(body, {})).toEqual(body);
  });

  it.each([
    [{ max_tokens: 5 }, 'max_completion_tokens', { max_completion_tokens: 5 }],
    [{ max_completion_tokens: 5 }, 'max_tokens', { max_tokens: 5 }],
  ] as const)('names the bound of %j %s', (body, name, expected) => {
    expect(fitChatBody(body, { token_bound: name })).toEqual(expected);
  });

  it('names the seed as the server does', () => {
    expect(fitChatBody({ seed: 7 }, { seed: 'random_seed' })).toEqual({ random_seed: 7 });
  });

  it('does not ask for usage where every stream has it', () => {
    expect(fitChatBody({ stream: true, stream_options: {} }, { stream_usage: 'always' })).toEqual({ stream: true });
  });

  it('limits the temperature', () => {
    expect(fitChatBody({ temperature: 1.7 }, { temperature_max: 1 })).toEqual({ temperature: 1 });
    expect(fitChatBody({ temperature: 0.7 }, { temperature_max: 1 })).toEqual({ temperature: 0.7 });
    expect(fitChatBody({ temperature: 0 }, { temperature_min: 0.01 })).toEqual({ temperature: 0.01 });
    expect(fitChatBody({}, { temperature_min: 0.01, temperature_max: 1 })).toEqual({});
  });

  it('refuses a forced call by name', () => {
    const quirks = { tool_choice: ['auto', 'none'] } as const;
    for (const choice of ['required', { type: 'function', function: { name: 'look' } }]) {
      expect(() => fitChatBody({ tools, tool_choice: choice }, { ...quirks, tool_choice: ['auto', 'none'] })).toThrow(
        expect.objectContaining({
          code: 'MODEL_CAPABILITY_UNSUPPORTED',
          fields: [expect.objectContaining({ field: 'tool_choice' })],
        }),
      );
    }
  });

  it('leaves the tools out where calls cannot be forbidden', () => {
    expect(fitChatBody({ tools, tool_choice: 'none' }, { tool_choice: ['auto'] })).toEqual({});
  });

  it('refuses tools of a server without them', () => {
    expect(() => fitChatBody({ tools }, { has_tools: false })).toThrow(
      expect.objectContaining({ code: 'MODEL_CAPABILITY_UNSUPPORTED' }),
    );
    expect(fitChatBody({ tools: [] }, { has_tools: false })).toEqual({ tools: [] });
  });

  it('asks for JSON by an instruction that has the schema', () => {
    const format = { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } };
    const body = { messages: [{ role: 'user', content: 'hi' }], response_format: format };
    expect(fitChatBody(body, { json: 'object' })).toEqual({
      messages: [
        { role: 'system', content: expect.stringContaining('{"type":"object"}') },
        { role: 'user', content: 'hi' },
      ],
      response_format: { type: 'json_object' },
    });
    expect(fitChatBody(body, {})).toEqual(body);
  });

  it('shortens ids of calls alike in calls and results', () => {
    const call = { id: 'call_0123456789', type: 'function' };
    const messages = [
      { role: 'assistant', tool_calls: [call, { id: 'abcDEF123', type: 'function' }] },
      { role: 'tool', tool_call_id: call.id },
    ];
    const [asked, answered] = fitChatBody({ messages }, { tool_id_chars: 9 }).messages as Record<string, unknown>[];
    const ids = (asked!.tool_calls as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual([expect.stringMatching(/^[a-f0-9]{9}$/), 'abcDEF123']);
    expect(answered!.tool_call_id).toBe(ids[0]);
  });
});

const call = { upstreamModel: 'gpt-9', isStream: false, maxOutputTokens: 40 } as ModelCall;
const client = { model: 'ours', messages: [{ role: 'user', content: 'hi' }], seed: 1, vendor_field: { a: [null] } };

describe('the body of a forwarded chat completion', () => {
  it('keeps the body of the client with our model', () => {
    expect(forwardedChatRequest(call, client, 'max_tokens')).toEqual({ ...client, model: 'gpt-9', max_tokens: 40 });
  });

  it.each([
    [{}, 'max_completion_tokens', 'max_completion_tokens'],
    [{ max_tokens: 90 }, 'max_completion_tokens', 'max_completion_tokens'],
    [{ max_completion_tokens: 90 }, 'max_tokens', 'max_completion_tokens'],
    [{ max_tokens: 90, max_completion_tokens: null }, 'max_tokens', 'max_tokens'],
  ] as const)('bounds a request with %j at a server that knows %s by one %s', (bounds, known, name) => {
    const { max_tokens, max_completion_tokens } = forwardedChatRequest(call, { ...client, ...bounds }, known);
    expect({ max_tokens, max_completion_tokens }).toEqual({
      max_tokens: undefined,
      max_completion_tokens: undefined,
      [name]: 40,
    });
  });

  it('requests the usage of a stream, whether or not the client does', () => {
    const body = { ...client, stream: true, stream_options: { include_obfuscation: false } };
    expect(forwardedChatRequest({ ...call, isStream: true }, body, 'max_tokens').stream_options).toEqual({
      include_obfuscation: false,
      include_usage: true,
    });
  });
});
