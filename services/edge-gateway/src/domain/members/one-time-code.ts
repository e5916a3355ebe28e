import { createHash } from 'node:crypto';

/** Time in which an invitation can be accepted. */
export const INVITATION_TTL_MS = 7 * 24 * 3_600_000;

/** Time in which a password can be reset. */
export const PASSWORD_RESET_TTL_MS = 30 * 60_000;

/** `random` must be 32 bytes from a cryptographic source. */
export function formatOneTimeCode(random: Uint8Array): string {
  return Buffer.from(random).toString('base64url');
}

/** The code is random, so an unsalted hash suffices. */
export function hashOneTimeCode(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
