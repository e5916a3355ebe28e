import { createHash } from 'node:crypto';

/** Time in which a link to the portal can be opened: it is made when the customer follows it. */
export const PORTAL_LINK_TTL_MS = 5 * 60_000;
/** Lifetime of the session that it starts. */
export const PORTAL_SESSION_TTL_SECONDS = 60 * 60;

const USER_AGENT_CHARS_MAX = 256;

/** `random` must be 32 bytes from a cryptographic source. */
export function formatPortalCode(random: Uint8Array): string {
  return Buffer.from(random).toString('base64url');
}

/** The code is random, so an unsalted hash suffices. */
export function hashPortalCode(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}

/** Returns what a device says about itself, as far as it is stored. */
export function toStoredUserAgent(header: string | undefined): string | null {
  const text = (header ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, USER_AGENT_CHARS_MAX);
  return text === '' ? null : text;
}
