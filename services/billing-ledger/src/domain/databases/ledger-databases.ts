import { createHash } from 'node:crypto';

/** Name of the database of `DATABASE_URL`. */
export const MAIN_DATABASE = 'main';

export interface LedgerDatabase {
  name: string;
  url: string;
}

/** Chooses the database of a new owner account by the hash of its id, so that replicas with the same settings agree. */
export function chooseDatabase(ownerAccountId: string, candidates: readonly string[]): string {
  const hash = createHash('sha256').update(ownerAccountId).digest().readUInt32BE(0);
  const sorted = [...new Set(candidates)].sort();
  return sorted[hash % sorted.length] as string;
}
