import { useState } from 'react';

/**
 * A key for one thing that a person does, so that a request that is sent twice is done once. A changed amount is another
 * thing: each content has its own key.
 */
export function useIdempotencyKey(content: string): Record<string, string> {
  const [keys] = useState(() => new Map<string, string>());
  const key = keys.get(content) ?? makeKey();
  keys.set(content, key);
  return { 'Idempotency-Key': key };
}

function makeKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(toHex).join('');
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
