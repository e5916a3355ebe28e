import { createHash } from 'node:crypto';

const PREFIX = 'rt_';

/** `random` must be 32 bytes from a cryptographic source. */
export function formatRefreshToken(random: Uint8Array): string {
  return `${PREFIX}${Buffer.from(random).toString('base64url')}`;
}

/** The token is random, so an unsalted hash suffices. */
export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
