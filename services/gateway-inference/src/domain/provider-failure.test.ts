import { describe, expect, it } from '@jest/globals';
import { ProviderFailure, turnError } from './provider-failure.js';

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
