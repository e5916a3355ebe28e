import { describe, expect, it } from '@jest/globals';
import { toAnthropicError, toOpenAiError } from '@tollgate/errors';
import { isContextOverflow, ProviderFailure, toContractError, turnError } from './provider-failure.js';

function createFailure(provider: 'openai' | 'custom', connection: string | undefined): ProviderFailure {
  const failure = new ProviderFailure({ kind: 'response', provider, status: 500 });
  failure.connection = connection;
  return failure;
}

describe('the error of a failed connection', () => {
  it.each([
    ['openai', undefined, 'owner', 'openai'],
    ['openai', 'openai', 'customer', 'openai'],
    ['openai', 'llama-eu', 'owner', 'llama-eu'],
    ['openai', 'llama-eu', 'customer', 'openai'],
    ['custom', 'llama-eu', 'owner', 'llama-eu'],
    ['custom', 'llama-eu', 'customer', 'the provider'],
  ] as const)('names provider %s at connection %s to the %s as %s', (provider, connection, reader, name) => {
    const failure = createFailure(provider, connection);
    expect(turnError([failure], 'r1', reader).message).toBe(`${name} answered with an error`);
    const several = turnError([failure, failure], 'r1', reader);
    expect(several.failures?.map(({ message }) => message)).toEqual(Array(2).fill(`${name} answered with an error`));
  });
});

const refusals = [
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 150000 tokens.",
  'Your input exceeds the context window of this model. Please adjust your input and try again.',
  'prompt is too long: 208310 tokens > 200000 maximum',
  'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length',
  'The input token count (1194434) exceeds the maximum number of tokens allowed (1048576).',
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  'the request exceeds the available context size, try increasing it',
  'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
  'Input is too long for requested model.',
  'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000',
  'Invalid request: Your request exceeded model token limit: 131072',
  'Prompt exceeds max length',
];

describe('isContextOverflow', () => {
  it.each(refusals)('recognizes %j', (message) => {
    for (const status of [400, 413, 422]) expect(isContextOverflow({ status, message })).toBe(true);
  });

  it.each([{ code: 'context_length_exceeded' }, { type: 'exceed_context_size_error' }])('recognizes %j', (fields) => {
    expect(isContextOverflow({ status: 400, ...fields })).toBe(true);
  });

  it.each([
    { status: 429, message: refusals[0] },
    { status: 400, message: 'Request too large for gpt-9 on tokens per min (TPM): Limit 10000, Requested 20000.' },
    { status: 400, message: 'max_tokens is too large: 99999' },
    { status: 400 },
  ])('leaves %j as it is', (refusal) => {
    expect(isContextOverflow(refusal)).toBe(false);
  });
});

describe('the error of a prompt that is too long', () => {
  it.each([
    ['anthropic', refusals[2], { shape: 'anthropic', type: 'invalid_request_error' }],
    ['google-ai-studio', refusals[4], undefined],
    ['openai', refusals[6], { shape: 'openai', type: 'exceed_context_size_error', code: '400' }],
  ] as const)('has the words of each dialect when %s refuses', (provider, detail, vendorError) => {
    const failure = new ProviderFailure({ kind: 'response', provider, status: 400, detail, vendorError });
    const error = toContractError(failure, 'r1');
    expect(error.retryable).toBe(false);
    expect(toOpenAiError(error)).toMatchObject({ type: 'invalid_request_error', code: 'context_length_exceeded' });
    const { error: inMessages } = toAnthropicError(error, 'r1');
    expect(inMessages).toMatchObject({ type: 'invalid_request_error' });
    expect(inMessages.message).toMatch(/^prompt is too long: /);
    expect(inMessages.message).toContain(detail);
  });
});
