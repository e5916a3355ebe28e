-- name: record_unknown_costs :exec
-- Records the calls of a run, or of some of its nodes, whose cost is not known: those that were sent, and those whose hold must be
-- released. Excludes calls that have a successor.
INSERT INTO run_unknown_costs (request_id, run_id, node_id, step, attempt, due_at)
SELECT s.request_id, s.run_id, s.node_id, s.step, s.attempt, now() + :delay_ms * interval '1 ms'
FROM run_steps s
WHERE s.run_id = :run_id AND s.cost_microcents IS NULL
  AND (s.status IN ('intent', 'dispatched', 'ambiguous') OR (s.status = 'failed' AND s.dispatched_at IS NOT NULL))
  AND (:is_over OR s.node_id = ANY (:node_ids::text[]))
  AND NOT EXISTS (
    SELECT FROM run_steps later
    WHERE later.run_id = s.run_id AND later.node_id = s.node_id AND later.step = s.step AND later.attempt > s.attempt)
ON CONFLICT DO NOTHING

-- name: record_unused_hold :exec
-- Records one call that will never be sent.
INSERT INTO run_unknown_costs (request_id, run_id, node_id, step, attempt, due_at)
VALUES (:hold_id, :run_id, :node_id, :step, :attempt, date_trunc('milliseconds', now()))
ON CONFLICT DO NOTHING

-- name: take_unknown_costs :many
-- Takes due calls and reschedules them, in case this process gets no answer.
WITH due AS (
  SELECT request_id FROM run_unknown_costs WHERE due_at <= now() ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED
)
UPDATE run_unknown_costs u
SET tries = tries + 1, due_at = now() + least(3600, 0.25 * 2 ^ least(tries + 1, 14)) * interval '1 s'
FROM due, runs, run_steps s
WHERE u.request_id = due.request_id AND runs.run_id = u.run_id AND s.run_id = u.run_id
  AND s.node_id = u.node_id AND s.step = u.step AND s.attempt = u.attempt
RETURNING u.request_id AS "holdId", u.run_id AS "runId", u.node_id AS "nodeId", u.step, u.attempt, u.tries,
  s.dispatched_at IS NOT NULL AS "wasDispatched!", runs.customer_id IS NOT NULL AS "hasCustomer!", runs.principal

-- name: store_known_cost :exec
-- Stores the cost that the ledger reports for a call. Keeps a cost that the call's own process has stored.
UPDATE run_steps
SET status = CASE WHEN dispatched_at IS NULL THEN 'dropped' ELSE 'failed' END,
  ended_at = coalesce(ended_at, clock_timestamp()), cost_microcents = :microcents?, input_tokens = :input_tokens?,
  output_tokens = :output_tokens?
WHERE run_id = :run_id AND node_id = :node_id AND step = :step AND attempt = :attempt AND status <> 'settled'
