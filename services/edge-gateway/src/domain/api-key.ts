import { createHmac } from 'node:crypto';

export type KeyKind = 'secret' | 'publishable';

const infixes: Record<KeyKind, string> = { secret: 'sk_', publishable: 'pk_' };

/** `random` must be 32 bytes from a cryptographic source. */
export function formatApiKey(prefix: string, kind: KeyKind, random: Uint8Array): string {
  return `${prefix}${infixes[kind]}${Buffer.from(random).toString('base64url')}`;
}

/** Returns the kind of key that a credential claims to be; undefined when it is not a key. */
export function parseKeyKind(prefix: string, credential: string): KeyKind | undefined {
  if (!credential.startsWith(prefix)) return undefined;
  if (credential.startsWith(infixes.secret, prefix.length)) return 'secret';
  if (credential.startsWith(infixes.publishable, prefix.length)) return 'publishable';
  return undefined;
}

/** Returns the hash that is stored and looked up. The pepper prevents searching a stolen table for known keys. */
export function hashApiKey(pepper: string, key: string): Buffer {
  return createHmac('sha256', pepper).update(key).digest();
}

export function redactApiKey(prefix: string, kind: KeyKind, last4: string): string {
  return `${prefix}${infixes[kind]}…${last4}`;
}
