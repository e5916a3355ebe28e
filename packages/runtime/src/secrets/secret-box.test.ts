import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { computeKeyId, IV_BYTES, type Keyring, openSecret, sealSecret } from './secret-box.js';

function keyring(current: Buffer, ...previous: Buffer[]): Keyring {
  const keys = [current, ...previous].map((key) => [computeKeyId(key), createSecretKey(key)] as const);
  return { currentKeyId: computeKeyId(current), keys: new Map(keys) };
}

const first = randomBytes(32);
const second = randomBytes(32);
const seal = (ring: Keyring) => sealSecret(ring, 'whsec_text', 'record-1', randomBytes(IV_BYTES));

describe('sealed secrets', () => {
  it('opens to the secret and does not contain it', () => {
    const sealed = seal(keyring(first));
    expect(openSecret(keyring(first), sealed, 'record-1')).toBe('whsec_text');
    expect(sealed.bytes.includes('whsec_text')).toBe(false);
  });

  it('opens after a key rotation while the old key is listed', () => {
    const sealed = seal(keyring(first));
    expect(openSecret(keyring(second, first), sealed, 'record-1')).toBe('whsec_text');
    expect(() => openSecret(keyring(second), sealed, 'record-1')).toThrow(/no secrets key/);
  });

  it('rejects another record and a changed byte', () => {
    const sealed = seal(keyring(first));
    expect(() => openSecret(keyring(first), sealed, 'record-2')).toThrow();
    const changed = Buffer.from(sealed.bytes);
    changed[changed.length - 1]! ^= 1;
    expect(() => openSecret(keyring(first), { ...sealed, bytes: changed }, 'record-1')).toThrow();
  });
});
