-- name: queue_deliveries :one
-- Stores each event once, and one delivery per subscribed endpoint with its queue.
-- pack events: id uuid, project_id uuid, type text, payload bytea, occurred_at timestamptz, customer_id text?, traceparent text?
-- pack events: place int
WITH event AS (
  SELECT * FROM :events AS e
),
target AS MATERIALIZED (
  -- Sessions of queues join by nested loops only: each event looks the webhooks of its project up by an index.
  SELECT e.place, e.id AS event_id, w.id AS webhook_id, w.enabled, e.customer_id, gen_random_uuid() AS delivery_id
  FROM event e JOIN webhooks w ON w.project_id = e.project_id AND w.deleted_at IS NULL AND e.type = ANY (w.event_types)
),
stored AS (
  INSERT INTO webhook_events (id, project_id, event_type, payload, occurred_at, traceparent)
  SELECT id, project_id, type, payload, occurred_at, traceparent FROM event
  -- IS TRUE keeps the planner from turning the hashed subplan into a join that would compare each event with each target.
  WHERE (place IN (SELECT place FROM target)) IS TRUE ORDER BY id
  ON CONFLICT (id) DO NOTHING
),
queued AS (
  INSERT INTO webhook_deliveries (id, webhook_id, event_id, lane_key, status, error)
  SELECT delivery_id, webhook_id, event_id, coalesce(customer_id, delivery_id::text),
    CASE WHEN enabled THEN 'pending' ELSE 'failed' END, CASE WHEN NOT enabled THEN 'not sent: the webhook is disabled' END
  FROM target ORDER BY place, webhook_id
  ON CONFLICT (webhook_id, event_id) DO NOTHING
  RETURNING id, webhook_id, lane_key, seq, status
),
queue AS (
  INSERT INTO webhook_lanes AS queue (webhook_id, lane_key, delivery_id, due_at)
  SELECT DISTINCT ON (webhook_id, lane_key) webhook_id, lane_key, id, now()
  FROM queued WHERE status = 'pending' ORDER BY webhook_id, lane_key, seq
  -- Changes nothing, but locks the queue until the commit: a worker that finishes its head waits and then finds the new delivery.
  ON CONFLICT (webhook_id, lane_key) DO UPDATE SET due_at = queue.due_at
)
SELECT count(*)::int AS "queued!" FROM queued WHERE status = 'pending'
