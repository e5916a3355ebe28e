import { describe, expect, it } from '@jest/globals';
import { guardedLookup, isRefusedLiteral } from './guarded-lookup.js';

function resolve(addresses: string[], allowPrivate: boolean): Promise<unknown> {
  const lookup = guardedLookup(allowPrivate, async () => addresses);
  return new Promise((done, fail) => {
    lookup('models.example', { all: true }, (error, found) => (error ? fail(error) : done(found)));
  });
}

describe('addresses of a provider', () => {
  it('returns public addresses in order', async () => {
    await expect(resolve(['8.8.8.8', '2001:4860:4860::8888'], false)).resolves.toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2001:4860:4860::8888', family: 6 },
    ]);
  });

  it('rejects a name if any of its addresses is private, unless those are allowed', async () => {
    await expect(resolve(['8.8.8.8', '10.0.0.7'], false)).rejects.toThrow('may not be called');
    await expect(resolve(['10.0.0.7'], true)).resolves.toEqual([{ address: '10.0.0.7', family: 4 }]);
    await expect(resolve([], true)).rejects.toThrow('no address');
  });

  it('rejects a metadata address even when private addresses are allowed', async () => {
    await expect(resolve(['169.254.169.254'], true)).rejects.toThrow('may not be called');
    expect(isRefusedLiteral('http://169.254.169.254/v1', true)).toBe(true);
  });

  it('checks literal addresses of the configuration the same way', () => {
    expect(isRefusedLiteral('http://127.0.0.1:11434/v1', false)).toBe(true);
    expect(isRefusedLiteral('http://[::1]:11434/v1', false)).toBe(true);
    expect(isRefusedLiteral('http://127.0.0.1:11434/v1', true)).toBe(false);
    expect(isRefusedLiteral('https://api.openai.com/v1', false)).toBe(false);
  });
});
