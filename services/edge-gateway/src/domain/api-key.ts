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

/** The secrets that keys are hashed with. */
export interface Peppers {
  current: string;
  /** The one before, while it is rotated. */
  previous: string | undefined;
}

/** Names a pepper in stored rows without revealing it. */
export function pepperId(pepper: string): string {
  return createHmac('sha256', pepper).update('tollgate pepper id').digest('hex').slice(0, 16);
}

/** The columns of a key that follow from the peppers. With a previous pepper, edges that know only that one find it. */
export function hashColumns(peppers: Peppers, key: string) {
  return {
    keyHash: hashApiKey(peppers.current, key),
    previousKeyHash: peppers.previous === undefined ? undefined : hashApiKey(peppers.previous, key),
    pepperId: pepperId(peppers.current),
  };
}

export function redactApiKey(prefix: string, kind: KeyKind, last4: string): string {
  return `${prefix}${infixes[kind]}…${last4}`;
}
