-- name: save_attempts :exec
-- Writes attempts whose queues are locked to their deliveries, the log and the queues.
-- pack reports: webhook_id uuid, ordering_key text, delivery_id uuid, round int, attempt int, outcome text, is_interrupted bool
-- pack reports: delay_ms bigint, response_status int?, latency_ms int?, error text?, started_at timestamptz
WITH report AS MATERIALIZED (
  SELECT * FROM :reports AS r
),
delivery AS (
  UPDATE webhook_deliveries d
  SET status = CASE r.outcome WHEN 'retry' THEN 'pending' ELSE r.outcome END,
    response_status = r.response_status, latency_ms = r.latency_ms, error = r.error, updated_at = clock_timestamp()
  FROM report r WHERE d.id = r.delivery_id
),
log AS (
  INSERT INTO webhook_attempts (delivery_id, round, attempt, outcome, response_status, latency_ms, error, started_at)
  SELECT delivery_id, round, attempt, CASE WHEN is_interrupted THEN 'interrupted' ELSE outcome END,
    response_status, latency_ms, error, started_at
  FROM report
),
queue AS MATERIALIZED (
  SELECT r.webhook_id, r.ordering_key, r.delay_ms,
    CASE r.outcome WHEN 'retry' THEN r.delivery_id ELSE (
      SELECT d.id FROM webhook_deliveries d
      WHERE d.webhook_id = r.webhook_id AND d.lane_key = r.ordering_key AND d.status = 'pending'
      -- The first two columns are constant. With them the order is the one of the index of pending deliveries.
      ORDER BY d.webhook_id, d.lane_key, d.seq LIMIT 1) END AS head
  FROM report r
),
moved AS (
  UPDATE webhook_lanes l
  SET delivery_id = queue.head, leased_until = NULL, due_at = clock_timestamp() + queue.delay_ms * interval '1 ms'
  FROM queue WHERE l.webhook_id = queue.webhook_id AND l.lane_key = queue.ordering_key AND queue.head IS NOT NULL
)
DELETE FROM webhook_lanes l USING queue
WHERE l.webhook_id = queue.webhook_id AND l.lane_key = queue.ordering_key AND queue.head IS NULL
