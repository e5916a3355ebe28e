import type { Queryable } from '@tollgate/postgres';
import type { BillingWindow } from '../domain/billing-window.js';
import { arrayLiteral } from './sql-arrays.js';

export interface AccountKey {
  kind: 'owner' | 'wallet' | 'allowance' | 'key' | 'daily_cap' | 'quota';
  refId: string;
  /** Of limits that begin anew. The start is part of the key, the end is only remembered. */
  window?: BillingWindow;
}

export interface AccountRow {
  id: bigint;
  is_enforced: boolean;
  /** Allowances and keys: what is granted in all. */
  limit_microcents: bigint | null;
  credits: bigint;
  debits: bigint;
  held: bigint;
}

/** Inserts the account if it is absent and returns it; never two for one key, however many ask at once. */
export async function openAccount(
  db: Queryable,
  ownerAccountId: string,
  key: AccountKey,
  isEnforced = true,
): Promise<AccountRow> {
  const windowEnd = key.window === undefined ? null : new Date(key.window.endMs);
  const values = [key.kind, key.refId, windowStart(key), ownerAccountId, isEnforced, windowEnd];
  const found = await findAccount(db, key);
  if (found) return found;
  await db.query(
    `INSERT INTO accounts (kind, ref_id, window_start, owner_account_id, is_enforced, window_end)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (kind, ref_id, window_start) DO NOTHING`,
    values,
  );
  return (await findAccount(db, key)) as AccountRow;
}

export async function findAccount(db: Queryable, key: AccountKey): Promise<AccountRow | undefined> {
  const { rows } = await db.query<AccountRow>({
    name: 'find_account',
    text: `SELECT id, is_enforced, limit_microcents, credits, debits, held FROM accounts WHERE kind = $1 AND ref_id = $2 AND window_start = $3::timestamptz`,
    values: [key.kind, key.refId, windowStart(key)],
  });
  return rows[0];
}

/** Locks accounts in id order; every transaction that locks several does it here or in the same order. */
export async function lockAccounts(tx: Queryable, ids: Iterable<bigint>): Promise<Map<bigint, AccountRow>> {
  const { rows } = await tx.query<AccountRow>({
    name: 'lock_accounts',
    text: `SELECT id, is_enforced, limit_microcents, credits, debits, held FROM accounts WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE`,
    values: [arrayLiteral(new Set(ids))],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Free funds; `undefined` where nothing is enforced. */
export function availableOf(row: AccountRow): bigint | undefined {
  return row.is_enforced ? row.credits - row.debits - row.held : undefined;
}

/** What was charged to a limit: all that its limit transfers granted, less what is left. */
export function chargedTo(row: AccountRow): bigint {
  return (row.limit_microcents ?? 0n) - row.credits + row.debits;
}

function windowStart(key: AccountKey): string {
  return key.window === undefined ? '-infinity' : new Date(key.window.startMs).toISOString();
}

export async function setLimit(tx: Queryable, id: bigint, limitMicrocents: bigint | undefined): Promise<void> {
  await tx.query(
    'UPDATE accounts SET is_enforced = $2, limit_microcents = coalesce($3, limit_microcents) WHERE id = $1',
    [id, limitMicrocents !== undefined, limitMicrocents ?? null],
  );
}
