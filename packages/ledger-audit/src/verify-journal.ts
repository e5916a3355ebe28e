import type { Queryable } from '@tollgate/postgres';
import { CHUNK_ROWS, chainHash } from './journal-seal.js';
import { brokenSeals, sealDifference } from './sealed-month.js';
import { type Chunk, readBalances, readTransfers } from './store/chunks.js';
import { findMonth, type JournalMonth, readMonths } from './store/months.js';
import { type DifferenceRow, differencesOfOwners, FIRST_OWNER, listOwners } from './store/verification.js';

const OWNERS_PER_STATEMENT = 100;

/**
 * Verifies the whole ledger: the chain of seals, every sealed row and every remaining transfer. Compares every account
 * with them. Reads in bounded statements: it may take long, but blocks no request.
 */
export async function verifyJournal({ pool }: { pool: Queryable }): Promise<DifferenceRow[]> {
  const months = await readMonths(pool);
  const found = brokenSeals(months);
  for (const month of months) if (month.seal !== null) found.push(...(await verifyMonth(pool, month)));
  for (let owners = await listOwners(pool, FIRST_OWNER, OWNERS_PER_STATEMENT); owners.length > 0; ) {
    found.push(...(await differencesOfOwners(pool, 'all', owners)));
    owners = await listOwners(pool, owners.at(-1) as string, OWNERS_PER_STATEMENT);
  }
  return found;
}

/** Compares the rows of a sealed month with its hashes. Skips the transfers once their deletion has started. */
async function verifyMonth(pool: Queryable, month: JournalMonth): Promise<DifferenceRow[]> {
  const found: DifferenceRow[] = [];
  const balances = await hashChunks((after) => readBalances(pool, month.month, after), 0n);
  if (balances !== month.balances_hash) found.push(sealDifference(month, 'balances'));
  if (month.deleted_to !== null) return found;
  const transfers = await hashChunks((after) => readTransfers(pool, after, month.last_id), month.after_id);
  if (transfers === month.transfers_hash) return found;
  // The deletion of the month's transfers may have started since the months were read.
  const isDeleted = (await findMonth(pool, month.month))?.deleted_to !== null;
  if (!isDeleted) found.push(sealDifference(month, 'transfers'));
  return found;
}

async function hashChunks(read: (after: bigint) => Promise<Chunk>, first: bigint): Promise<string> {
  let hash = '';
  for (let after = first; ; ) {
    const { rows, position, lines } = await read(after);
    hash = chainHash(hash, lines);
    if (rows < CHUNK_ROWS || position === null) return hash;
    after = position;
  }
}
