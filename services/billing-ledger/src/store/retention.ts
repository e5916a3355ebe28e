import type { Queryable } from '@tollgate/postgres';
import { HOLD_STATES } from '../domain/hold.js';
import { deleteRequestTransfers, takeMonthToDelete } from './gen/retention.js';

/** How long rows are kept, in days. */
export interface RetentionDays {
  holdDays: number;
  recordDays: number;
}

/** Ended holds are kept until the month that has their transfers is sealed, whatever their age. */
const SEALED_UNTIL = `(SELECT (max(month) + interval '1 month') AT TIME ZONE 'UTC' FROM journal_months WHERE state = 'sealed')`;

/** Rows that may be deleted, oldest first. */
export interface RetentionRule {
  /** Names the rows, in the plural. */
  name: string;
  age: keyof RetentionDays;
  /** Parameter 1 is the age in days, parameter 2 the maximum number of rows. */
  sql: string;
}

export const RETENTION_RULES: readonly RetentionRule[] = [
  {
    name: 'holds',
    age: 'holdDays',
    sql: `DELETE FROM holds WHERE state <> ${HOLD_STATES.open} AND request_id = ANY (ARRAY(
      SELECT request_id FROM holds
      WHERE settled_at < now() - $1 * interval '1 day' AND settled_at < ${SEALED_UNTIL} AND state <> ${HOLD_STATES.open}
      ORDER BY settled_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
  },
  {
    name: 'parts of holds',
    age: 'holdDays',
    sql: `DELETE FROM hold_parts WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM hold_parts WHERE created_at < now() - $1 * interval '1 day'
      ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
  },
  {
    // While its window is open, a deleted threshold would be reached and announced again.
    name: 'usage thresholds',
    age: 'recordDays',
    sql: `DELETE FROM usage_thresholds WHERE ctid = ANY (ARRAY(
      SELECT u.ctid FROM usage_thresholds u JOIN accounts a ON a.id = u.account_id
      WHERE u.announced_at < now() - $1 * interval '1 day' AND a.window_end < now() - $1 * interval '1 day'
      ORDER BY u.announced_at LIMIT $2 FOR UPDATE OF u SKIP LOCKED))`,
  },
  {
    // Keeps top-ups, and what the processor reported: owners can list them, including those that failed or expired.
    name: 'unpaid purchases',
    age: 'recordDays',
    sql: `DELETE FROM payment_orders WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM payment_orders
      WHERE status IN ('expired', 'failed') AND payment_intent_id IS NULL AND ended_at < now() - $1 * interval '1 day'
        AND kind NOT IN ('account_topup', 'auto_topup') AND processor_ref IS NULL AND reversed_cents = 0 AND undo_at IS NULL
      ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
  },
];

/** Deletes one batch of at most `limit` rows per rule. Returns true if a batch was full, so that more may remain. */
export async function deleteInBatches(db: Queryable, days: RetentionDays, limit: number): Promise<boolean> {
  let hasMore = false;
  for (const rule of RETENTION_RULES) hasMore = (await deletePast(db, rule, days, limit)) === limit || hasMore;
  return hasMore;
}

/** Deletes at most `limit` rows of one rule and returns how many. */
export async function deletePast(
  db: Queryable,
  { age, sql }: RetentionRule,
  days: RetentionDays,
  limit: number,
): Promise<number> {
  return (await db.query(sql, [days[age], limit])).rowCount ?? 0;
}

/**
 * Deletes the next transfers of requests from the oldest archived month whose holds are past their retention. Payments,
 * grants and limits are never deleted: their causes keep a repeated webhook event from being booked twice. Returns how
 * many were deleted; undefined if none are left to look at.
 */
export async function deleteArchivedTransfers(
  tx: Queryable,
  holdDays: number,
  limit: number,
): Promise<number | undefined> {
  const next = await takeMonthToDelete(tx, { days: holdDays });
  if (!next) return undefined;
  const { month, from, last_id: lastId } = next;
  const result = await deleteRequestTransfers(tx, { month, from, lastId, limit });
  return result?.deleted ?? 0;
}
