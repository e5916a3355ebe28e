-- name: append_run_events :many
-- Appends events of a running node outside a transition: locks the run's row, checks that the work is still held, advances the
-- counter and inserts. Takes its locks in the same order as a transition.
-- pack events: nth int, type text, node_id text?, body text
WITH run AS (
  SELECT run_id FROM runs WHERE run_id = :run_id AND status IN ('running', 'waiting') FOR UPDATE
),
held AS (
  -- The share lock keeps a successor from starting before the insert.
  SELECT w.run_id
  FROM run JOIN run_work w ON w.run_id = run.run_id
  WHERE w.work_id = :work_id AND w.lease_epoch = :epoch
  FOR SHARE OF w
),
counted AS (
  UPDATE runs SET last_seq = last_seq + :events.length
  FROM held
  WHERE runs.run_id = held.run_id
  RETURNING last_seq - :events.length AS base, clock_timestamp() AS now
)
INSERT INTO run_events (run_id, seq, ts, type, node_id, body)
SELECT :run_id, counted.base + e.nth, counted.now, e.type, e.node_id, e.body FROM counted, :events AS e
RETURNING seq, ts
