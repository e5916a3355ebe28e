import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { formatApiKey, hashApiKey, parseKeyKind, redactApiKey } from './api-key.js';

describe('API keys', () => {
  it('contains 256 random bits and its kind', () => {
    const key = formatApiKey('tg_', 'secret', randomBytes(32));
    expect(key).toMatch(/^tg_sk_[A-Za-z0-9_-]{43}$/);
    expect(parseKeyKind('tg_', key)).toBe('secret');
    expect(parseKeyKind('tg_', formatApiKey('tg_', 'publishable', randomBytes(32)))).toBe('publishable');
  });

  it.each(['', 'tg_', 'tg_xx_1', 'sk_1', 'other_sk_1', 'eyJhbGciOi.a.b'])('rejects %j', (text) => {
    expect(parseKeyKind('tg_', text)).toBeUndefined();
  });

  it('hashes differently under another pepper', () => {
    expect(hashApiKey('a', 'key')).toHaveLength(32);
    expect(hashApiKey('a', 'key').equals(hashApiKey('a', 'key'))).toBe(true);
    expect(hashApiKey('a', 'key').equals(hashApiKey('b', 'key'))).toBe(false);
  });

  it('shows only the last four characters', () => {
    expect(redactApiKey('tg_', 'secret', 'wxyz')).toBe('tg_sk_…wxyz');
  });
});
