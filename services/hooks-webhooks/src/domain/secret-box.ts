import { createCipheriv, createDecipheriv, createHash, type KeyObject } from 'node:crypto';

export const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The current key seals and every listed key opens, so that keys can be rotated without downtime. */
export interface Keyring {
  currentKeyId: string;
  keys: ReadonlyMap<string, KeyObject>;
}

export interface SealedSecret {
  keyId: string;
  /** iv, tag, ciphertext. */
  bytes: Buffer;
}

/** Returns a short fingerprint of a key. It is stored with the sealed secret and must not reveal the key. */
export function computeKeyId(key: Uint8Array): string {
  return createHash('sha256').update('tollgate secrets key ').update(key).digest('hex').slice(0, 12);
}

/** Seals with AES-256-GCM. `recordId` is authenticated, so that a secret copied to another record does not open. */
export function sealSecret(keyring: Keyring, secret: string, recordId: string, iv: Uint8Array): SealedSecret {
  const cipher = createCipheriv('aes-256-gcm', requireKey(keyring, keyring.currentKeyId), iv);
  cipher.setAAD(Buffer.from(recordId));
  const ciphertext = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return { keyId: keyring.currentKeyId, bytes: Buffer.concat([iv, cipher.getAuthTag(), ciphertext]) };
}

export function openSecret(keyring: Keyring, sealed: SealedSecret, recordId: string): string {
  const iv = sealed.bytes.subarray(0, IV_BYTES);
  const tag = sealed.bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', requireKey(keyring, sealed.keyId), iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(recordId));
  decipher.setAuthTag(tag);
  const ciphertext = sealed.bytes.subarray(IV_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
}

function requireKey(keyring: Keyring, keyId: string): KeyObject {
  const key = keyring.keys.get(keyId);
  if (!key)
    throw new Error(`no secrets key with id ${keyId} is configured: add it to SECRETS_ENCRYPTION_KEYS_PREVIOUS`);
  return key;
}
