import { createHash } from 'node:crypto';

/** No vowels, so that no words come out, and nothing that reads like something else (RFC 8628, section 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** `ABCD-EFGH`; `random` gives whole numbers from 0 to below its argument. */
export function makeUserCode(random: (below: number) => number): string {
  let code = '';
  for (let i = 0; i < LENGTH; i++) code += ALPHABET[random(ALPHABET.length)];
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** What a person typed, in the one form that is stored; people leave out the dash and write in lower case. */
export function normalUserCode(typed: string): string {
  const code = typed.toUpperCase().replace(/[^A-Z]/g, '');
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The code is random itself, so a plain hash keeps it from being read back. */
export function hashDeviceCode(deviceCode: string): Buffer {
  return createHash('sha256').update(deviceCode).digest();
}
