import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';
import type { BillingWindow } from '../domain/billing-window.js';
import { insertAccount } from './gen/accounts.js';

export interface AccountKey {
  kind: 'owner' | 'wallet' | 'allowance' | 'key' | 'daily_cap' | 'quota';
  refId: string;
  /** For limits that are reset periodically. The start is part of the key; the end is only stored, and can move. */
  window?: BillingWindow;
}

export interface AccountRow {
  id: bigint;
  is_enforced: boolean;
  /** The total granted by the limit; null for balances. */
  limit_microcents: bigint | null;
  window_end: Date | null;
  credits: bigint;
  debits: bigint;
  held: bigint;
}

const COLUMNS = 'id, is_enforced, limit_microcents, window_end, credits, debits, held';

/** Returns the account of the key; creates it on first use, once under concurrency. */
export async function openAccount(
  db: Queryable,
  ownerAccountId: string,
  key: AccountKey,
  isEnforced = true,
): Promise<AccountRow> {
  const windowEnd = key.window === undefined ? null : new Date(key.window.endMs);
  const found = await findAccount(db, key);
  if (found) return found;
  await insertAccount(db, {
    kind: key.kind,
    refId: key.refId,
    windowStart: windowStart(key),
    ownerAccountId,
    isEnforced,
    windowEnd,
  });
  return (await findAccount(db, key)) as AccountRow;
}

export async function findAccount(db: Queryable, key: AccountKey): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>({
    name: 'find_account',
    text: `SELECT ${COLUMNS} FROM accounts WHERE kind = $1 AND ref_id = $2 AND window_start = $3::timestamptz`,
    values: [key.kind, key.refId, windowStart(key)],
  });
  return rows[0];
}

/** Locks accounts in id order. Every transaction must lock accounts in this order, or it can deadlock. */
export async function lockAccounts(tx: Queryable, ids: Iterable<bigint>): Promise<Map<bigint, AccountRow>> {
  const { rows } = await tx.query<AccountRow>({
    name: 'lock_accounts',
    text: `SELECT ${COLUMNS} FROM accounts WHERE id = ANY($1::bigint[]) ORDER BY id
      -- fault point: lock no accounts
      FOR UPDATE
    `,
    values: [arrayLiteral(new Set(ids))],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Changes what an account holds, outside of requests. The caller has locked the account. */
export async function changeHeld(tx: Queryable, id: bigint, byMicrocents: bigint): Promise<void> {
  await tx.query('UPDATE accounts SET held = held + $2 WHERE id = $1', [id, byMicrocents]);
}

/** Returns the free funds; undefined if the limit is not enforced. */
export function availableFunds(row: AccountRow): bigint | undefined {
  return row.is_enforced ? row.credits - row.debits - row.held : undefined;
}

/** Returns the amount charged to a limit: everything granted minus the rest. */
export function chargedAmount(row: AccountRow): bigint {
  return (row.limit_microcents ?? 0n) - row.credits + row.debits;
}

function windowStart(key: AccountKey): string {
  return key.window === undefined ? '-infinity' : new Date(key.window.startMs).toISOString();
}

/** Sets a limit, and the end of a window that a change of the period has moved. The caller has locked the account. */
export async function setLimit(
  tx: Queryable,
  id: bigint,
  limitMicrocents: bigint | undefined,
  windowEndMs: number | undefined,
): Promise<void> {
  await tx.query(
    `UPDATE accounts SET is_enforced = $2, limit_microcents = coalesce($3, limit_microcents), window_end = coalesce($4, window_end)
     WHERE id = $1`,
    [
      id,
      limitMicrocents !== undefined,
      limitMicrocents ?? null,
      windowEndMs === undefined ? null : new Date(windowEndMs),
    ],
  );
}
