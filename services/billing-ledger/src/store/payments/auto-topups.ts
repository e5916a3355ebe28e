import type { Queryable } from '@tollgate/postgres';
import type { ProcessorCard } from '../../domain/payments/verified-card.js';
import * as sql from '../gen/payments/auto-topups.js';

export interface AutoTopUpRow {
  account_id: string;
  is_enabled: boolean;
  threshold_cents: bigint;
  amount_cents: bigint;
  failure_count: number;
  next_attempt_at: Date | null;
  last_triggered_at: Date | null;
  card_id: string | null;
  card_brand: string | null;
  card_last4: string | null;
  card_exp_month: number | null;
  card_exp_year: number | null;
}

const COLUMNS = `account_id, is_enabled, threshold_cents, amount_cents, failure_count, next_attempt_at, last_triggered_at,
  card_id, card_brand, card_last4, card_exp_month, card_exp_year`;

export async function findAutoTopUp(db: Queryable, accountId: string): Promise<AutoTopUpRow | undefined> {
  const { rows } = await db.query<AutoTopUpRow>(`SELECT ${COLUMNS} FROM auto_topups WHERE account_id = $1`, [
    accountId,
  ]);
  return rows[0];
}

/** Must be locked before any of the account's orders: the worker that opens orders holds this lock. */
export async function lockAutoTopUp(tx: Queryable, accountId: string): Promise<AutoTopUpRow | undefined> {
  const { rows } = await tx.query<AutoTopUpRow>(`SELECT ${COLUMNS} FROM auto_topups WHERE account_id = $1 FOR UPDATE`, [
    accountId,
  ]);
  return rows[0];
}

/** Does not wait: returns undefined if another replica holds the lock. */
export async function tryLockAutoTopUp(tx: Queryable, accountId: string): Promise<AutoTopUpRow | undefined> {
  const { rows } = await tx.query<AutoTopUpRow>(
    `SELECT ${COLUMNS} FROM auto_topups WHERE account_id = $1 FOR UPDATE SKIP LOCKED`,
    [accountId],
  );
  return rows[0];
}

/** Stores new settings and resets the failures. Returns false if they are enabled and there is no card. */
export async function setAutoTopUp(
  db: Queryable,
  accountId: string,
  settings: { enabled: boolean; thresholdCents: bigint; amountCents: bigint },
): Promise<boolean> {
  const { enabled: isEnabled, ...amounts } = settings;
  return (await sql.setAutoTopUp(db, { accountId, isEnabled, ...amounts })) === 1;
}

/** Saves the card, replacing an earlier one, and resets the failures. */
export async function keepCard(db: Queryable, accountId: string, card: ProcessorCard): Promise<void> {
  await sql.keepCard(db, {
    accountId,
    cardId: card.id,
    cardBrand: card.brand,
    cardLast4: card.last4,
    cardExpMonth: card.expMonth,
    cardExpYear: card.expYear,
  });
}

export async function deleteAutoTopUp(db: Queryable, accountId: string): Promise<void> {
  await db.query('DELETE FROM auto_topups WHERE account_id = $1', [accountId]);
}

/** Lists accounts below their threshold that may be charged now. The caller decides again under lock. */
export async function accountsBelowThreshold(db: Queryable, now: Date, limit: number): Promise<string[]> {
  const rows = await sql.accountsBelowThreshold(db, { now, limit });
  return rows.map((row) => row.account_id);
}

export async function noteTrigger(tx: Queryable, accountId: string, at: Date): Promise<void> {
  await tx.query('UPDATE auto_topups SET last_triggered_at = $2 WHERE account_id = $1', [accountId, at]);
}

/** Records a successful charge. */
export async function noteSuccess(tx: Queryable, accountId: string, nextAttemptAt: Date): Promise<void> {
  await tx.query('UPDATE auto_topups SET failure_count = 0, next_attempt_at = $2 WHERE account_id = $1', [
    accountId,
    nextAttemptAt,
  ]);
}

/** Records a failed charge. `isLast` switches automatic top-ups off until the owner enables them again. */
export async function noteFailure(
  tx: Queryable,
  accountId: string,
  failure: { count: number; nextAttemptAt: Date; isLast: boolean },
): Promise<void> {
  await tx.query(
    `UPDATE auto_topups SET failure_count = $2, next_attempt_at = $3, is_enabled = is_enabled AND NOT $4 WHERE account_id = $1`,
    [accountId, failure.count, failure.nextAttemptAt, failure.isLast],
  );
}

/** Postpones the next charge, because a limit is reached. */
export async function putOff(tx: Queryable, accountId: string, until: Date): Promise<void> {
  await tx.query('UPDATE auto_topups SET next_attempt_at = $2 WHERE account_id = $1', [accountId, until]);
}
