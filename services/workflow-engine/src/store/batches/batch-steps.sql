-- name: visit_batch_steps :many
-- Visits the accounts after `after` until some of them have a batch with a due step: a batch that is to be validated, or whose
-- files are to be written because no line is in progress, and none has a lost attempt that still has to be superseded.
WITH RECURSIVE walk AS (
  SELECT :after::uuid AS account_id, false AS is_open, 0 AS place, 0 AS found
  UNION ALL
  SELECT next.account_id, due.is_open, walk.place + 1, walk.found + due.is_open::int
  FROM walk
  CROSS JOIN LATERAL (
    -- One step from account to account in the index. Excludes batches in progress, of whose lines there may be any number.
    SELECT account_id
    FROM batches
    WHERE ended_at IS NULL AND status <> 'in_progress' AND account_id > walk.account_id
    ORDER BY account_id
    LIMIT 1) AS next
  CROSS JOIN LATERAL (
    SELECT EXISTS (
      SELECT b.batch_id
      FROM (
        -- The limit is more than a project may have, and keeps the planner from reading all batches.
        SELECT batch_id, account_id, status, validation, step_due_at, validation_due_at
        FROM batches
        WHERE account_id = next.account_id AND ended_at IS NULL AND status <> 'in_progress'
        ORDER BY batch_id
        LIMIT 256) AS b
      WHERE coalesce(CASE WHEN validation IS NULL THEN step_due_at ELSE validation_due_at END, now()) <= now()
        AND (status = 'validating' OR (
          NOT EXISTS (
            SELECT FROM batch_lines l
            WHERE l.account_id = b.account_id AND l.lease_until IS NOT NULL AND l.batch_id = b.batch_id AND NOT l.is_done)
          AND NOT EXISTS (
            SELECT FROM batch_lines l
            WHERE l.batch_id = b.batch_id AND NOT l.is_done AND l.lease_until IS NULL
              AND (l.is_dispatched OR l.superseded_attempt IS NOT NULL))))) AS is_open) AS due
  WHERE walk.place < 64 /* ACCOUNTS_VISITED_MAX */ AND walk.found < 8 /* ACCOUNTS_CLAIMED_MAX */
)
SELECT account_id AS "key!", CASE WHEN is_open THEN true END AS "isLocked" FROM walk WHERE place > 0 ORDER BY place

-- name: lock_batch_step :one
-- Locks the batch whose step is next: of the first of the accounts that has one. Another process skips the batch.
-- type endpoint: BatchEndpoint from domain/batches/batch-json
-- type status: BatchStatus from domain/batches/batch-json
-- type ends_as: BatchOutcome from domain/batches/batch-json
SELECT batch_id, account_id, project_id, customer_id, endpoint, input_file_id, metadata, output_ttl_seconds, status, ends_as, errors,
  validation, model, total, completed, failed, input_tokens, cached_tokens, output_tokens, reasoning_tokens, output_file_id,
  error_file_id, created_at, expires_at, in_progress_at, finalizing_at, completed_at, failed_at, expired_at, canceling_at, canceled_at
FROM batches
JOIN (
  SELECT step.batch_id, account.place
  FROM unnest(:account_ids::uuid[]) WITH ORDINALITY AS account (account_id, place)
  CROSS JOIN LATERAL (
    SELECT b.batch_id
    FROM (
      -- The limit is more than a project may have, and keeps the planner from reading all batches.
      SELECT batch_id, account_id, status, validation, step_due_at, validation_due_at
      FROM batches
      WHERE account_id = account.account_id AND ended_at IS NULL AND status <> 'in_progress'
      ORDER BY batch_id
      LIMIT 256) AS b
    WHERE coalesce(CASE WHEN validation IS NULL THEN step_due_at ELSE validation_due_at END, now()) <= now()
      AND (status = 'validating' OR (
        NOT EXISTS (
          SELECT FROM batch_lines l
          WHERE l.account_id = b.account_id AND l.lease_until IS NOT NULL AND l.batch_id = b.batch_id AND NOT l.is_done)
        AND NOT EXISTS (
          SELECT FROM batch_lines l
          WHERE l.batch_id = b.batch_id AND NOT l.is_done AND l.lease_until IS NULL
            AND (l.is_dispatched OR l.superseded_attempt IS NOT NULL))))) AS step) AS due USING (batch_id)
WHERE ended_at IS NULL AND status <> 'in_progress'
ORDER BY due.place, batch_id
LIMIT 1
FOR UPDATE OF batches SKIP LOCKED
