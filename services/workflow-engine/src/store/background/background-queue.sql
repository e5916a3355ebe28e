-- name: extend_background :many
-- Extends leases and returns the keys of the requests that are still held.
UPDATE background_responses r
SET lease_until = now() + :lease_ms * interval '1 ms'
FROM unnest(:ids::uuid[], :epochs::int[]) AS h (id, epoch)
WHERE r.id = h.id AND r.lease_epoch = h.epoch AND r.lease_owner = :owner
RETURNING concat_ws('/', r.id) AS "key!"

-- name: read_background_body :one
SELECT body FROM background_responses WHERE id = :id AND lease_epoch = :epoch AND lease_owner IS NOT NULL

-- name: dispatch_background :execrows
-- Records that the provider may serve the attempt from now on.
UPDATE background_responses SET is_dispatched = true, status = 'in_progress'
WHERE id = :id AND lease_epoch = :epoch AND lease_owner IS NOT NULL

-- name: put_back_background :exec
-- Returns a request to the queue.
UPDATE background_responses
SET lease_owner = NULL, lease_until = NULL, due_at = date_trunc('milliseconds', now()) + :delay_ms * interval '1 ms',
  is_dispatched = (:next = 'lost' OR (:next = 'recorded' AND is_dispatched)),
  attempt = attempt + (:next = 'next')::int, tries = tries + (:counts = 'try')::int,
  waits = CASE :counts WHEN 'wait' THEN waits + 1 WHEN 'try' THEN 0 ELSE waits END
WHERE id = :id AND lease_epoch = :epoch AND lease_owner IS NOT NULL

-- name: read_due_background :one
-- Reads a bounded part of the index of due responses. A response that waits for those of its account says nothing about the
-- workers: only accounts without one in progress have an age.
SELECT count(*)::int AS "count!",
  coalesce(extract(epoch FROM clock_timestamp() - min(due_at) FILTER (WHERE is_first)), 0)::float AS "oldestSeconds!"
FROM (
  SELECT due_at, NOT EXISTS (
    SELECT FROM background_responses b
    WHERE b.account_id = r.account_id AND b.ended_at IS NULL AND b.lease_until IS NOT NULL) AS is_first
  FROM background_responses r
  WHERE ended_at IS NULL AND lease_until IS NULL AND due_at <= now()
  LIMIT 10000) AS due

-- name: end_background :one
-- Ends a response. Returns its head and its last event. Changes nothing when the lease was lost.
UPDATE background_responses
SET status = :status, answer = :answer?, error = :error?, ended_at = now(), lease_owner = NULL, lease_until = NULL, body = NULL,
  head = CASE WHEN :status = 'completed' THEN '{}' ELSE coalesce(ended_head, head) END, ended_head = NULL,
  bytes = CASE WHEN :status = 'completed' THEN 0 ELSE octet_length(coalesce(ended_head, head)) END
    + coalesce(octet_length(:answer?::text), 0) + coalesce(octet_length(:error?::text), 0)
WHERE id = :id AND lease_epoch = :epoch AND lease_owner IS NOT NULL
RETURNING head, last_event
