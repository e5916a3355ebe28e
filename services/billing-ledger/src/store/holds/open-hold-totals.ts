import type { Queryable } from '@tollgate/postgres';
import { HOLD_STATES } from '../../domain/hold.js';

/** Holds counted at most; a larger number is reported as this one. */
export const OPEN_HOLDS_COUNTED_MAX = 20_000;

/** Reads through the partial index of open holds, which holds no ended ones. */
export const OPEN_HOLD_TOTALS = `
  SELECT count(*)::int AS count,
         coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float AS "oldestSeconds"
  FROM (SELECT created_at FROM holds WHERE state = ${HOLD_STATES.open} ORDER BY expires_at
        LIMIT ${OPEN_HOLDS_COUNTED_MAX}) AS open`;

export async function readOpenHoldTotals(db: Queryable): Promise<{ count: number; oldestSeconds: number }> {
  const { rows } = await db.query<{ count: number; oldestSeconds: number }>(OPEN_HOLD_TOTALS);
  return rows[0]!;
}
