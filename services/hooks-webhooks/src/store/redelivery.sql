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
INSERT INTO webhook_lanes (webhook_id, lane_key, delivery_id, due_at) SELECT :webhook_id, lane_key, id, now() FROM delivery
