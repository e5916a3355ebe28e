// Generated from retention.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface TakeMonthToDeleteInput {
  days: number;
}

export interface TakeMonthToDeleteRow {
  month: string;
  from: bigint;
  last_id: bigint;
}

const TAKE_MONTH_TO_DELETE = `
  SELECT to_char(month, 'YYYY-MM-DD') AS "month", coalesce(deleted_to, after_id) AS "from", last_id
  FROM journal_months
  WHERE archived_at IS NOT NULL AND coalesce(deleted_to, after_id) < last_id
    AND (month + interval '1 month') AT TIME ZONE 'UTC' < now() - $1::int * interval '1 day'
    AND NOT EXISTS (
      SELECT 1 FROM journal_months e
      WHERE e.month < journal_months.month AND coalesce(e.deleted_to, e.after_id) < e.last_id
    )
  ORDER BY month
  LIMIT 1
  FOR UPDATE SKIP LOCKED`;

/** Locks the oldest archived month that still has transfers of requests past their retention. */
export async function takeMonthToDelete(db: Queryable, input: TakeMonthToDeleteInput): Promise<TakeMonthToDeleteRow | undefined> {
  const { rows } = await db.query<TakeMonthToDeleteRow>({
    name: 'take_month_to_delete',
    text: TAKE_MONTH_TO_DELETE,
    values: [
      input.days,
    ],
  });
  return rows[0];
}

export interface DeleteRequestTransfersInput {
  from: bigint | number;
  lastId: bigint | number;
  limit: number;
  month: string;
}

export interface DeleteRequestTransfersRow {
  deleted: number;
}

const DELETE_REQUEST_TRANSFERS = `
  WITH chunk AS MATERIALIZED (
    SELECT id, kind FROM transfers WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3::int
  ),
  gone AS (
    DELETE FROM transfers USING chunk
    WHERE transfers.id = chunk.id AND (
      chunk.kind IN ('charge_allowance', 'charge_wallet', 'key_spend', 'provider_cost', 'daily_spend', 'quota_use',
        'overrun', 'overrun_customer', 'unreconciled', 'reconciled')
      OR chunk.kind ~ '^(late|returned|superseded)_')
    RETURNING 1
  )
  UPDATE journal_months SET deleted_to = CASE WHEN c.rows < $3 THEN $2 ELSE c.last END
  FROM (SELECT count(*) AS rows, max(id) AS last FROM chunk) c
  WHERE month = ($4::text)::date
  RETURNING (SELECT count(*) FROM gone)::int AS "deleted"`;

/**
 * Deletes the next transfers of a month that the end of a request has written (`domain/settle-hold.ts`, `operations/holds`).
 * Keeps all other kinds: payments, grants, limits, and kinds that are added later.
 * MATERIALIZED: the chunk is read once, before its rows are gone.
 */
export async function deleteRequestTransfers(db: Queryable, input: DeleteRequestTransfersInput): Promise<DeleteRequestTransfersRow | undefined> {
  const { rows } = await db.query<DeleteRequestTransfersRow>({
    name: 'delete_request_transfers',
    text: DELETE_REQUEST_TRANSFERS,
    values: [
      input.from,
      input.lastId,
      input.limit,
      input.month,
    ],
  });
  return rows[0];
}
