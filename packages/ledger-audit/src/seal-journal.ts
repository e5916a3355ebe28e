import { type Tx, withTransaction } from '@tollgate/postgres';
import type { Logger } from '@tollgate/runtime';
import type pg from 'pg';
import { CHUNK_ROWS, chainHash, computeSeal } from './journal-seal.js';
import { toSealedMonth } from './sealed-month.js';
import {
  addToBalances,
  advanceBalances,
  advanceTransfers,
  readBalances,
  readTransfers,
  setSealed,
} from './store/chunks.js';
import {
  findClosableMonth,
  findLastMonth,
  findLastTransfer,
  insertMonth,
  type JournalMonth,
  lockMonth,
  passWriters,
} from './store/months.js';

export interface SealContext {
  pool: pg.Pool;
  logger: Logger;
  /** How long after its end (UTC) a month is closed. */
  closingLagMs: number;
}

/**
 * Takes the next step towards sealing the oldest month that is closed and not sealed. A step is one bounded transaction
 * that any replica may take, and repeating it after a crash has no second effect. Returns true if more steps may follow.
 */
export async function sealJournal(ctx: SealContext): Promise<boolean> {
  const last = await findLastMonth(ctx.pool);
  if (!last || last.state === 'sealed') return closeMonth(ctx, last);
  if (last.state === 'closing') return passWriters(ctx.pool, last.month);
  return withTransaction(ctx.pool, async (tx) => {
    const month = await lockMonth(tx, last.month);
    if (month?.state === 'transfers') return sealTransfers(tx, month);
    if (month?.state !== 'balances') return false;
    const seal = await sealBalances(tx, month);
    if (seal !== undefined) ctx.logger.info({ month: month.month, seal }, 'journal month sealed');
    return true;
  });
}

async function closeMonth({ closingLagMs, pool }: SealContext, last: JournalMonth | undefined): Promise<boolean> {
  const next = await findClosableMonth(pool, last?.month, closingLagMs);
  if (!next) return false;
  const afterId = last?.last_id ?? 0n;
  await insertMonth(pool, next.month, afterId, await findLastTransfer(pool, afterId, next.end));
  return true;
}

async function sealTransfers(tx: Tx, month: JournalMonth): Promise<boolean> {
  const { rows, position, lines } = await readTransfers(tx, month.position, month.last_id);
  if (position !== null) await addToBalances(tx, month.month, month.position, position);
  const hash = chainHash(month.transfers_hash, lines);
  await advanceTransfers(tx, month.month, { rows, position, hash, isLast: rows < CHUNK_ROWS });
  return true;
}

/** Hashes the next balances. Returns the seal if they were the last ones. */
async function sealBalances(tx: Tx, month: JournalMonth): Promise<string | undefined> {
  const { rows, position, lines } = await readBalances(tx, month.month, month.position);
  const hash = chainHash(month.balances_hash, lines);
  await advanceBalances(tx, month.month, { rows, position, hash });
  if (rows === CHUNK_ROWS) return undefined;
  const seal = computeSeal(toSealedMonth({ ...month, balances: month.balances + BigInt(rows), balances_hash: hash }));
  await setSealed(tx, month.month, seal);
  return seal;
}
