-- name: take_session_messages :many
-- Takes due messages and reschedules them, in case this process fails before it has appended them.
WITH due AS (
  SELECT run_id FROM run_session_messages WHERE due_at <= now() ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED
)
UPDATE run_session_messages m
SET tries = tries + 1, due_at = now() + least(3600, 0.25 * 2 ^ least(tries + 1, 14)) * interval '1 s'
FROM due, runs
WHERE m.run_id = due.run_id AND runs.run_id = m.run_id
RETURNING m.run_id AS "runId", m.session_id AS "sessionId", m.content, m.tries, runs.principal
