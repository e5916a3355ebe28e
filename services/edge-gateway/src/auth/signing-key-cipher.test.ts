import { describe, expect, it } from '@jest/globals';
import { openSigningKey, sealSigningKey } from './signing-key-cipher.js';

describe('stored signing keys', () => {
  it('open under the pepper they were sealed with, and under no other', () => {
    const sealed = sealSigningKey('pepper', '{"d":"private"}');
    expect(Buffer.from(sealed).toString('latin1')).not.toContain('private');
    expect(openSigningKey('pepper', sealed)).toBe('{"d":"private"}');
    expect(() => openSigningKey('other', sealed)).toThrow();
  });

  it('do not open when a byte was changed', () => {
    const sealed = sealSigningKey('pepper', 'text');
    sealed[14]! ^= 1;
    expect(() => openSigningKey('pepper', sealed)).toThrow();
  });
});
