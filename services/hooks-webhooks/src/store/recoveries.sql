-- name: requeue_failed_deliveries :one
-- Queues the next failed deliveries of a recovery again, each in a queue of its own, and moves the cursor of the recovery.
WITH picked AS (
  SELECT d.id, d.created_at FROM webhook_deliveries d
  WHERE d.webhook_id = :webhook_id AND d.status = 'failed' AND d.created_at >= :since AND d.updated_at <= :started_at AND NOT d.is_test
    AND (:cursor_id?::uuid IS NULL OR (d.created_at, d.id) > (:since, :cursor_id?))
  ORDER BY d.created_at, d.id LIMIT :limit FOR UPDATE SKIP LOCKED
),
delivery AS (
  UPDATE webhook_deliveries d
  SET status = 'pending', round = round + 1, attempt_count = 0, response_status = NULL, latency_ms = NULL, error = NULL,
    updated_at = clock_timestamp(),
    -- As in `requeue_delivery`.
    lane_key = split_part(d.lane_key, ' ', 1) || ' ' || d.id::text
  FROM picked WHERE d.id = picked.id
  RETURNING d.id, d.lane_key
),
queue AS (
  INSERT INTO webhook_lanes (webhook_id, lane_key, delivery_id, due_at) SELECT :webhook_id, lane_key, id, now() FROM delivery
)
UPDATE webhook_recoveries r
SET requeued = requeued + (SELECT count(*) FROM delivery), advanced_at = clock_timestamp(),
  cursor_created_at = last.created_at, cursor_id = last.id
FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT created_at, id FROM picked ORDER BY created_at DESC, id DESC LIMIT 1) last ON true
WHERE r.id = :recovery_id
RETURNING (SELECT count(*)::int FROM delivery) AS "requeued!"
