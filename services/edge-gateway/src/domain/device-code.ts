import { createHash } from 'node:crypto';

/** Excludes vowels, which could form words, and ambiguous characters (RFC 8628, section 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** Returns a code like `BCDF-GHJK`; `random` returns integers from 0 to below its argument. */
export function makeUserCode(random: (below: number) => number): string {
  let code = '';
  for (let i = 0; i < LENGTH; i++) code += ALPHABET[random(ALPHABET.length)];
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Normalizes typed input to the stored form; people omit the dash and type lower case. */
export function normalUserCode(typed: string): string {
  const code = typed.toUpperCase().replace(/[^A-Z]/g, '');
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The code is random, so an unsalted hash suffices. */
export function hashDeviceCode(deviceCode: string): Buffer {
  return createHash('sha256').update(deviceCode).digest();
}
