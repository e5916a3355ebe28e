import { createHash } from 'node:crypto';

/** Rows that are hashed together; part of the format of archives. */
export const CHUNK_ROWS = 5_000;

/** The figures that a seal confirms. Hashes are hex. */
export interface SealedMonth {
  /** YYYY-MM-DD, the first day. */
  month: string;
  afterId: string;
  lastId: string;
  transfers: string;
  transfersHash: string;
  balances: string;
  balancesHash: string;
  /** The seal of the month before; empty for the first one. */
  previousSeal: string;
}

/** Returns the hash of the rows up to and including this chunk. */
export function chainHash(previousHash: string, lines: readonly string[]): string {
  if (lines.length === 0) return previousHash;
  const hash = createHash('sha256').update(previousHash).update('\n');
  for (const line of lines) hash.update(line).update('\n');
  return hash.digest('hex');
}

/** Returns a month's seal. It contains the seal before, so that no earlier month can be changed without a trace. */
export function computeSeal(month: SealedMonth): string {
  const { afterId, lastId, transfers, transfersHash, balances, balancesHash, previousSeal } = month;
  const parts = [previousSeal, month.month, afterId, lastId, transfers, transfersHash, balances, balancesHash];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}
