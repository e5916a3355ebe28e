-- name: insert_lines :many
-- Stores lines of a batch. Returns the numbers of those that were stored; the others repeat a `custom_id`.
-- pack lines: line int, custom_id text, body text
INSERT INTO batch_lines (batch_id, account_id, line, custom_id, body)
SELECT :batch_id, :account_id, l.line, l.custom_id, l.body FROM :lines AS l ORDER BY l.line
ON CONFLICT (batch_id, custom_id) DO NOTHING
RETURNING line

-- name: end_line :exec
-- Stores the answer of a line and counts it in its batch, which the last line moves on. Changes nothing when the lease was lost.
WITH ended AS (
  UPDATE batch_lines
  SET is_done = true, status_code = :status_code, answer = :answer, lease_owner = NULL, lease_until = NULL
  WHERE batch_id = :batch_id AND line = :line AND lease_epoch = :epoch AND lease_owner IS NOT NULL
  RETURNING batch_id
)
UPDATE batches
SET completed = completed + :is_success::boolean::int, failed = failed + (NOT :is_success::boolean)::int,
  status = CASE WHEN status = 'in_progress' AND completed + failed + 1 = total THEN 'finalizing' ELSE status END,
  finalizing_at = CASE WHEN status = 'in_progress' AND completed + failed + 1 = total THEN now() ELSE finalizing_at END,
  input_tokens = input_tokens + :input_tokens, cached_tokens = cached_tokens + :cached_tokens,
  output_tokens = output_tokens + :output_tokens, reasoning_tokens = reasoning_tokens + :reasoning_tokens
FROM ended
WHERE batches.batch_id = ended.batch_id

-- name: extend_lines :many
-- Extends leases and returns the keys of the requests that are still held.
UPDATE batch_lines r
SET lease_until = now() + :lease_ms * interval '1 ms'
FROM unnest(:batch_ids::uuid[], :lines::int[], :epochs::int[]) AS h (batch_id, line, epoch)
WHERE r.batch_id = h.batch_id AND r.line = h.line AND r.lease_epoch = h.epoch AND r.lease_owner = :owner
RETURNING concat_ws('/', r.batch_id, r.line) AS "key!"

-- name: read_line_body :one
SELECT body FROM batch_lines WHERE batch_id = :batch_id AND line = :line AND lease_epoch = :epoch AND lease_owner IS NOT NULL

-- name: dispatch_line :execrows
-- Records that the provider may serve the attempt from now on.
UPDATE batch_lines SET is_dispatched = true
WHERE batch_id = :batch_id AND line = :line AND lease_epoch = :epoch AND lease_owner IS NOT NULL

-- name: put_back_line :exec
-- Returns a request to the queue.
UPDATE batch_lines
SET lease_owner = NULL, lease_until = NULL, due_at = date_trunc('milliseconds', now()) + :delay_ms * interval '1 ms',
  is_dispatched = (:next = 'lost' OR (:next = 'recorded' AND is_dispatched)),
  attempt = attempt + (:next = 'next')::int, tries = tries + (:counts = 'try')::int,
  waits = CASE :counts WHEN 'wait' THEN waits + 1 WHEN 'try' THEN 0 ELSE waits END
WHERE batch_id = :batch_id AND line = :line AND lease_epoch = :epoch AND lease_owner IS NOT NULL
