import { describe, expect, it } from '@jest/globals';
import { openSigningKey, sealSigningKey } from './signing-key-cipher.js';

describe('stored signing keys', () => {
  it('opens only under the pepper that sealed them', () => {
    const sealed = sealSigningKey('pepper', '{"d":"private"}');
    expect(Buffer.from(sealed).toString('latin1')).not.toContain('private');
    expect(openSigningKey('pepper', sealed)).toBe('{"d":"private"}');
    expect(() => openSigningKey('other', sealed)).toThrow();
  });

  it('rejects a changed byte', () => {
    const sealed = sealSigningKey('pepper', 'text');
    sealed[14]! ^= 1;
    expect(() => openSigningKey('pepper', sealed)).toThrow();
  });
});
