import { createHash } from 'node:crypto';

/** Namespace of ids derived from a request's id. Random; must never change. */
const NAMESPACE = Buffer.from('5f0c7f4e2b5d4f0fa1d3c8a9e7b61d42', 'hex');

/** Returns a version 5 UUID (RFC 9562): the same parts always give the same id. */
export function derivedId(...parts: readonly string[]): string {
  const hash = createHash('sha1').update(NAMESPACE).update(JSON.stringify(parts)).digest().subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x50;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
