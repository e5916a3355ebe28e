import { createCipheriv, createDecipheriv, createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { ConfigError } from '../config/config.js';

/** Bytes of the random value that each sealing takes. */
export const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The current key seals and every listed key opens, so that keys can be rotated without downtime. */
export interface Keyring {
  currentKeyId: string;
  keys: ReadonlyMap<string, KeyObject>;
}

/** A secret as it is stored. */
export interface SealedSecret {
  keyId: string;
  /** iv, tag, ciphertext. */
  bytes: Buffer;
}

/**
 * Returns the keys of SECRETS_ENCRYPTION_KEY and SECRETS_ENCRYPTION_KEYS_PREVIOUS.
 *
 * @throws ConfigError for a key that is not 32 bytes in base64 or hex
 */
export function toKeyring(current: string, previous: readonly string[] = []): Keyring {
  const bytes = [toKey('SECRETS_ENCRYPTION_KEY', current)];
  for (const text of previous) bytes.push(toKey('SECRETS_ENCRYPTION_KEYS_PREVIOUS', text));
  return {
    currentKeyId: computeKeyId(bytes[0]!),
    keys: new Map(bytes.map((key) => [computeKeyId(key), createSecretKey(key)])),
  };
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

/** Opens a sealed secret. @throws Error if no configured key opens it */
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

function toKey(variable: string, text: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length === 32) return key;
  throw new ConfigError(`${variable}: expected 32 bytes in base64 or hex`);
}
