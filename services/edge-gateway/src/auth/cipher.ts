import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The kinds of encrypted contents. Each has its own key, derived from the server's pepper, so that a copy of the table is useless. */
type Purpose = 'tollgate signing keys' | 'tollgate kept answers';

/** Encrypts a stored private key. */
export function sealSigningKey(pepper: string, text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(seal(pepper, 'tollgate signing keys', Buffer.from(text)));
}

/** @throws when the pepper differs or the bytes were changed */
export function openSigningKey(pepper: string, sealed: Uint8Array): string {
  return open(pepper, 'tollgate signing keys', sealed).toString('utf8');
}

/** Encrypts an answer that is kept for repeats of its request. */
export function sealAnswer(pepper: string, body: Uint8Array): Buffer {
  return seal(pepper, 'tollgate kept answers', body);
}

/** Returns undefined if none of the peppers sealed the answer. */
export function openAnswer(peppers: readonly string[], sealed: Uint8Array): Buffer | undefined {
  for (const pepper of peppers) {
    try {
      return open(pepper, 'tollgate kept answers', sealed);
    } catch {
      // The next one may be its pepper.
    }
  }
  return undefined;
}

function seal(pepper: string, purpose: Purpose, bytes: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFrom(pepper, purpose), iv);
  return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

function open(pepper: string, purpose: Purpose, sealed: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', keyFrom(pepper, purpose), sealed.subarray(0, IV_BYTES));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const body = sealed.subarray(IV_BYTES, sealed.length - TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

function keyFrom(pepper: string, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', pepper, '', purpose, 32));
}
