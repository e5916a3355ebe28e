-- name: insert_batch :one
-- Creates a batch. Returns undefined when the project or its customer has too many unfinished ones. The project must be locked.
-- type endpoint: BatchEndpoint from domain/batches/batch-json
-- type status: BatchStatus from domain/batches/batch-json
-- type ends_as: BatchOutcome from domain/batches/batch-json
INSERT INTO batches (batch_id, account_id, project_id, customer_id, principal, traceparent, endpoint, input_file_id, metadata,
  output_ttl_seconds, expires_at)
SELECT :batch_id, :account_id, :project_id, :customer_id?, :principal, :traceparent?, :endpoint, :input_file_id, :metadata?,
  :output_ttl_seconds, now() + :window_ms * interval '1 ms'
WHERE (
  SELECT count(*) < :project_max
    AND (:customer_id?::uuid IS NULL OR count(*) FILTER (WHERE customer_id = :customer_id?) < :customer_max)
  FROM batches
  WHERE project_id = :project_id AND ended_at IS NULL)
RETURNING batch_id, account_id, project_id, customer_id, endpoint, input_file_id, metadata, output_ttl_seconds, status, ends_as, errors,
  validation, model, total, completed, failed, input_tokens, cached_tokens, output_tokens, reasoning_tokens, output_file_id,
  error_file_id, created_at, expires_at, in_progress_at, finalizing_at, completed_at, failed_at, expired_at, canceling_at, canceled_at

-- name: find_batch :one
-- type endpoint: BatchEndpoint from domain/batches/batch-json
-- type status: BatchStatus from domain/batches/batch-json
-- type ends_as: BatchOutcome from domain/batches/batch-json
SELECT batch_id, account_id, project_id, customer_id, endpoint, input_file_id, metadata, output_ttl_seconds, status, ends_as, errors,
  validation, model, total, completed, failed, input_tokens, cached_tokens, output_tokens, reasoning_tokens, output_file_id,
  error_file_id, created_at, expires_at, in_progress_at, finalizing_at, completed_at, failed_at, expired_at, canceling_at, canceled_at
FROM batches
WHERE batch_id = :batch_id AND project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)

-- name: list_batches :many
-- Lists batches, newest first.
-- type endpoint: BatchEndpoint from domain/batches/batch-json
-- type status: BatchStatus from domain/batches/batch-json
-- type ends_as: BatchOutcome from domain/batches/batch-json
SELECT batch_id, account_id, project_id, customer_id, endpoint, input_file_id, metadata, output_ttl_seconds, status, ends_as, errors,
  validation, model, total, completed, failed, input_tokens, cached_tokens, output_tokens, reasoning_tokens, output_file_id,
  error_file_id, created_at, expires_at, in_progress_at, finalizing_at, completed_at, failed_at, expired_at, canceling_at, canceled_at
FROM batches
WHERE project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND (:after?::uuid IS NULL OR batch_id < :after?)
ORDER BY batch_id DESC
LIMIT :limit

-- name: cancel_batch :one
-- Starts no further lines of a batch. Returns undefined for a batch that is not in progress.
-- type endpoint: BatchEndpoint from domain/batches/batch-json
-- type status: BatchStatus from domain/batches/batch-json
-- type ends_as: BatchOutcome from domain/batches/batch-json
UPDATE batches
SET status = 'cancelling', ends_as = 'cancelled', canceling_at = now()
WHERE batch_id = :batch_id AND project_id = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND status IN ('validating', 'in_progress')
RETURNING batch_id, account_id, project_id, customer_id, endpoint, input_file_id, metadata, output_ttl_seconds, status, ends_as, errors,
  validation, model, total, completed, failed, input_tokens, cached_tokens, output_tokens, reasoning_tokens, output_file_id,
  error_file_id, created_at, expires_at, in_progress_at, finalizing_at, completed_at, failed_at, expired_at, canceling_at, canceled_at

-- name: finalize_batches :one
-- Moves batches on whose last line was ended by the previous version, which leaves that to a later statement: see `end_line`.
-- Visits a page of unfinished batches.
WITH page AS (
  SELECT batch_id, status = 'in_progress' AND completed + failed = total AS is_done
  FROM batches
  WHERE ended_at IS NULL AND batch_id > :after
  ORDER BY batch_id
  LIMIT 100 /* FINALIZED_VISITED_MAX */
),
finalized AS (
  UPDATE batches SET status = 'finalizing', finalizing_at = now()
  FROM page
  WHERE page.is_done AND batches.batch_id = page.batch_id AND batches.status = 'in_progress'
)
SELECT (SELECT batch_id FROM page ORDER BY batch_id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM page) AS "visited!"

-- name: start_batch :exec
-- Starts the lines of a validated batch.
UPDATE batches
SET status = 'in_progress', in_progress_at = now(), total = :total, model = :model?, validation = NULL, step_due_at = NULL
WHERE batch_id = :batch_id

-- name: fail_batch :execrows
-- Ends a batch whose input is not valid. Changes nothing when it is no longer validated.
UPDATE batches
SET status = 'failed', failed_at = now(), ended_at = now(), errors = :errors, validation = NULL
WHERE batch_id = :batch_id AND status = 'validating'

-- name: end_batch :exec
-- Ends a batch whose files are written. Lines that were not run count as failed, unless they were canceled.
UPDATE batches
SET status = :outcome, ended_at = now(), finalizing_at = coalesce(finalizing_at, now()),
  completed_at = CASE WHEN :outcome = 'completed' THEN now() END,
  expired_at = CASE WHEN :outcome = 'expired' THEN now() END,
  canceled_at = CASE WHEN :outcome = 'cancelled' THEN now() END,
  failed = CASE WHEN :outcome = 'expired' THEN total - completed ELSE failed END,
  output_file_id = :output_file_id?, error_file_id = :error_file_id?
WHERE batch_id = :batch_id
