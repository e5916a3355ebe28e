import { describe, expect, it } from '@jest/globals';
import type { ModelCall } from '../../contract/provider.js';
import { forwardedChatRequest } from './chat-request.js';

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
