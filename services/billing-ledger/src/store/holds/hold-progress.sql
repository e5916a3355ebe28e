-- name: record_progress :execrows
-- Postpones an open hold's expiry and stores its progress, which never decreases.
UPDATE holds
SET expires_at = now() + :ttl_ms::int * interval '1 millisecond',
  progress_input_tokens = greatest(progress_input_tokens, :input_tokens),
  progress_output_tokens = greatest(progress_output_tokens, :output_tokens)
WHERE request_id = :hold_id AND state = 0 /* HOLD_STATES.open */

-- name: record_progress_together :many
-- Does what `record_progress` does for many holds, except for those that another transaction has locked: it waits for none.
-- Returns the open holds, and whether they are recorded.
-- pack reports: request_id uuid, input_tokens bigint, output_tokens bigint
WITH free AS (
  SELECT request_id
  FROM holds
  WHERE request_id = ANY (:reports.request_id) AND state = 0 /* HOLD_STATES.open */
  FOR NO KEY UPDATE SKIP LOCKED
),
recorded AS (
  UPDATE holds h
  SET expires_at = now() + :ttl_ms::int * interval '1 millisecond',
    progress_input_tokens = greatest(progress_input_tokens, t.input_tokens),
    progress_output_tokens = greatest(progress_output_tokens, t.output_tokens)
  FROM free JOIN :reports AS t USING (request_id)
  WHERE h.request_id = free.request_id
  RETURNING h.request_id
)
-- This part reads the rows as they were before the update.
SELECT h.request_id AS "request_id!", r.request_id IS NOT NULL AS "is_recorded!"
FROM holds h LEFT JOIN recorded r USING (request_id)
WHERE h.request_id = ANY (:reports.request_id) AND h.state = 0 /* HOLD_STATES.open */
