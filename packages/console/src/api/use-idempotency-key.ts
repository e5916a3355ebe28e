import { useState } from 'react';

/** A key for one thing that a person does: when a request is sent twice, it is done once. */
export function useIdempotencyKey(): Record<string, string> {
  const [key] = useState(() => [...crypto.getRandomValues(new Uint8Array(16))].map(toHex).join(''));
  return { 'Idempotency-Key': key };
}

function toHex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}
