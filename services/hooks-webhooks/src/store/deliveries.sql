-- name: list_deliveries :many
-- Newest first.
-- type status: DeliveryStatus from domain/webhooks/delivery
-- unprepared: the plan depends on the filters
SELECT d.id, d.webhook_id, d.event_id, e.event_type, e.payload, d.status, d.round, d.attempt_count, d.response_status, d.latency_ms,
  d.error, d.created_at, d.updated_at
FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
WHERE d.webhook_id = :webhook_id AND (:status?::text IS NULL OR d.status = :status?)
  AND (:event_type?::text IS NULL OR e.event_type = :event_type?)
ORDER BY d.seq DESC
LIMIT :limit OFFSET :offset;

-- name: insert_test_delivery :exec
-- Writes a finished test delivery to the log; it never enters a queue.
WITH event AS (
  INSERT INTO webhook_events (id, project_id, event_type, payload, occurred_at)
  VALUES (:event_id, :project_id, :event_type, :payload, :occurred_at)
),
delivery AS (
  INSERT INTO webhook_deliveries
    (id, webhook_id, event_id, lane_key, status, attempt_count, response_status, latency_ms, error, is_test)
  VALUES (:delivery_id::uuid, :webhook_id, :event_id, :delivery_id::uuid::text, :outcome, 1, :response_status?, :latency_ms,
          :error?, true)
)
INSERT INTO webhook_attempts (delivery_id, round, attempt, outcome, response_status, latency_ms, error, started_at)
VALUES (:delivery_id::uuid, 0, 1, :outcome, :response_status?, :latency_ms, :error?, :occurred_at);

-- name: requeue_delivery :execrows
-- Queues a finished delivery again with five new attempts, in a queue of its own. Its key begins with the former key, which is the
-- customer's id if the event has a customer.
WITH delivery AS (
  UPDATE webhook_deliveries
  SET status = 'pending', round = round + 1, attempt_count = 0, response_status = NULL, latency_ms = NULL, error = NULL,
    updated_at = clock_timestamp(), lane_key = split_part(lane_key, ' ', 1) || ' ' || id::text
  WHERE id = :delivery_id AND webhook_id = :webhook_id AND status IN ('delivered', 'failed')
  RETURNING id, lane_key
)
INSERT INTO webhook_lanes (webhook_id, lane_key, delivery_id, due_at) SELECT :webhook_id, lane_key, id, now() FROM delivery;
