-- name: take_month_to_delete :one
-- Locks the oldest archived month that still has transfers of requests past their retention.
SELECT to_char(month, 'YYYY-MM-DD') AS "month!", coalesce(deleted_to, after_id) AS "from!", last_id
FROM journal_months
WHERE archived_at IS NOT NULL AND coalesce(deleted_to, after_id) < last_id
  AND (month + interval '1 month') AT TIME ZONE 'UTC' < now() - :days::int * interval '1 day'
  AND NOT EXISTS (
    SELECT 1 FROM journal_months e
    WHERE e.month < journal_months.month AND coalesce(e.deleted_to, e.after_id) < e.last_id
  )
ORDER BY month
LIMIT 1
FOR UPDATE SKIP LOCKED

-- name: delete_request_transfers :one
-- Deletes the next transfers of a month that the end of a request has written (`domain/settle-hold.ts`, `operations/holds`).
-- Keeps all other kinds: payments, grants, limits, and kinds that are added later.
-- MATERIALIZED: the chunk is read once, before its rows are gone.
WITH chunk AS MATERIALIZED (
  SELECT id, kind FROM transfers WHERE id > :from AND id <= :last_id ORDER BY id LIMIT :limit::int
),
gone AS (
  DELETE FROM transfers USING chunk
  WHERE transfers.id = chunk.id AND (
    chunk.kind IN ('charge_allowance', 'charge_wallet', 'key_spend', 'provider_cost', 'daily_spend', 'quota_use',
      'overrun', 'overrun_customer', 'unreconciled', 'reconciled')
    OR chunk.kind ~ '^(late|returned|superseded)_')
  RETURNING 1
)
UPDATE journal_months SET deleted_to = CASE WHEN c.rows < :limit THEN :last_id ELSE c.last END
FROM (SELECT count(*) AS rows, max(id) AS last FROM chunk) c
WHERE month = (:month::text)::date
RETURNING (SELECT count(*) FROM gone)::int AS "deleted!"
