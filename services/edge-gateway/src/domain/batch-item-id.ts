import { createHash } from 'node:crypto';

/**
 * Derives the hold id of a batch item: a UUID (version 8, RFC 9562) from the batch's attempt, so that a repeat of the
 * batch can supersede the items of a lost attempt.
 */
export function batchItemId(attemptId: string, index: number): string {
  const hash = createHash('sha256').update(`batch item ${index} of ${attemptId}`).digest().subarray(0, 16);
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
