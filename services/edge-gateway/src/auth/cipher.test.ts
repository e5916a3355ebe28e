import { describe, expect, it } from '@jest/globals';
import { openAnswer, openSigningKey, sealAnswer, sealSigningKey } from './cipher.js';

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

it('opens kept answers under the pepper that sealed them, also after its rotation', () => {
  const sealed = sealAnswer('old', Buffer.from('secret'));
  expect(sealed.includes('secret')).toBe(false);
  expect(openAnswer(['new', 'old'], sealed)?.toString()).toBe('secret');
  expect(openAnswer(['new'], sealed)).toBeUndefined();
  expect(openAnswer(['old'], Buffer.from(sealSigningKey('old', 'text')))).toBeUndefined();
});
