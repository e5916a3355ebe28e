import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts stored private keys with a key derived from the server's pepper, so that a copy of the table is useless. */
export function sealSigningKey(pepper: string, text: string): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFrom(pepper), iv);
  return Uint8Array.from(Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]));
}

/** @throws when the pepper differs or the bytes were changed */
export function openSigningKey(pepper: string, sealed: Uint8Array): string {
  const decipher = createDecipheriv('aes-256-gcm', keyFrom(pepper), sealed.subarray(0, IV_BYTES));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const body = sealed.subarray(IV_BYTES, sealed.length - TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

function keyFrom(pepper: string): Buffer {
  return Buffer.from(hkdfSync('sha256', pepper, '', 'tollgate signing keys', 32));
}
