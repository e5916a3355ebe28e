import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';

/** Shares of a window's allowance, in percent, that emit an event when they are reached (SPEC). */
export const THRESHOLDS_SQL = '(VALUES (50), (80), (100)) AS p (percent)';

/**
 * Returns the SQL condition under which threshold `p.percent` of an account is reached. Limits are whole cents, so the
 * division is exact. It comes first because limit × percent may exceed the range of bigint.
 */
export function reached(limit: string, used: string, percent = 'p.percent'): string {
  return `${limit} > 0 AND ${used} >= ${limit} / 100 * ${percent}`;
}

/** SQL for the amount charged to an allowance `a`: everything granted minus the rest. */
export const USED = 'a.limit_microcents - a.credits + a.debits';

/**
 * Records reached thresholds outside of the settling statement. In a new period that continues the window, first forgets the
 * announced ones that the new limit puts out of reach. The caller holds the account locks. Returns true if any is new.
 */
export async function markThresholds(
  tx: Queryable,
  accountIds: Iterable<bigint>,
  isNewPeriod = false,
): Promise<boolean> {
  const ids = arrayLiteral(accountIds);
  if (isNewPeriod) {
    await tx.query(
      `DELETE FROM usage_thresholds u USING accounts a WHERE a.id = ANY($1::bigint[]) AND u.account_id = a.id
         AND u.announced_at IS NOT NULL
         AND NOT (a.is_enforced AND ${reached('a.limit_microcents', `(${USED})`, 'u.threshold_percent')})`,
      [ids],
    );
  }
  const { rowCount } = await tx.query(
    `INSERT INTO usage_thresholds (account_id, threshold_percent, used_microcents, limit_microcents)
     SELECT a.id, p.percent, ${USED}, a.limit_microcents FROM accounts a CROSS JOIN ${THRESHOLDS_SQL}
     WHERE a.id = ANY($1::bigint[]) AND a.kind = 'allowance' AND a.is_enforced AND ${reached('a.limit_microcents', `(${USED})`)}
     ON CONFLICT DO NOTHING`,
    [ids],
  );
  return (rowCount ?? 0) > 0;
}

export interface ReachedThreshold {
  account_id: bigint;
  threshold_percent: number;
  used_microcents: bigint;
  limit_microcents: bigint;
  reached_at: Date;
  window_start: Date;
  window_end: Date | null;
  customer_id: string;
  /** Null if the customer was deleted; no event is emitted then. */
  project_id: string | null;
  tier_id: string | null;
  tier_code: string | null;
}

/** Locks unannounced thresholds, oldest first; skips those that other replicas have locked. */
export async function lockUnannounced(tx: Queryable, limit: number): Promise<ReachedThreshold[]> {
  const { rows } = await tx.query<ReachedThreshold>(
    `SELECT u.account_id, u.threshold_percent, u.used_microcents, u.limit_microcents, u.reached_at, a.window_start,
       coalesce(a.window_end, s.current_period_end) AS window_end, a.ref_id AS customer_id, c.project_id, s.tier_id, t.tier_code
     FROM usage_thresholds u JOIN accounts a ON a.id = u.account_id
     LEFT JOIN customers c ON c.id = a.ref_id LEFT JOIN subscriptions s ON s.customer_id = c.id LEFT JOIN tiers t ON t.id = s.tier_id
     WHERE u.announced_at IS NULL ORDER BY u.reached_at, u.account_id, u.threshold_percent LIMIT $1 FOR UPDATE OF u SKIP LOCKED`,
    [limit],
  );
  return rows;
}

export async function setAnnounced(tx: Queryable, reachedThresholds: readonly ReachedThreshold[]): Promise<void> {
  await tx.query(
    `UPDATE usage_thresholds u SET announced_at = now() FROM unnest($1::bigint[], $2::smallint[]) AS t (account_id, percent)
     WHERE u.account_id = t.account_id AND u.threshold_percent = t.percent`,
    [
      arrayLiteral(reachedThresholds.map((r) => r.account_id)),
      arrayLiteral(reachedThresholds.map((r) => r.threshold_percent)),
    ],
  );
}
