-- name: lease_queue_heads :many
-- Leases up to `quota` due queues of each endpoint and counts an attempt for their heads.
-- pack quotas: webhook_id uuid, quota int
WITH picked AS (
  SELECT l.webhook_id, l.lane_key
  FROM :quotas AS q
  CROSS JOIN LATERAL (
    SELECT webhook_id, lane_key FROM webhook_lanes
    WHERE webhook_id = q.webhook_id AND leased_until IS NULL AND due_at <= now()
    ORDER BY due_at LIMIT q.quota FOR UPDATE SKIP LOCKED
  ) l
),
leased AS (
  UPDATE webhook_lanes l
  SET epoch = l.epoch + 1,
      leased_until = clock_timestamp()
        + CASE w.retry_schedule WHEN 'fast' THEN :fast_lease_ms::int ELSE :standard_lease_ms::int END * interval '1 ms'
  FROM picked p JOIN webhooks w ON w.id = p.webhook_id
  WHERE l.webhook_id = p.webhook_id AND l.lane_key = p.lane_key
  RETURNING l.webhook_id, l.lane_key, l.delivery_id, l.epoch
),
started AS (
  UPDATE webhook_deliveries d
  SET status = 'processing', attempt_count = d.attempt_count + 1, updated_at = clock_timestamp()
  FROM leased l
  WHERE d.id = l.delivery_id
  RETURNING d.id, d.webhook_id, d.event_id, d.round, d.attempt_count, d.created_at, l.lane_key, l.epoch
)
SELECT s.id AS "delivery_id!", s.lane_key AS "lane_key!", s.epoch AS "epoch!", s.round AS "round!",
  s.attempt_count AS "attempt_count!", s.created_at AS "created_at!", s.event_id AS "event_id!", e.event_type, e.payload,
  e.traceparent, w.id AS webhook_id, w.project_id, w.endpoint_url, w.signature_form, w.retry_schedule, w.secret_key_id,
  w.secret_sealed, w.previous_secret_key_id, w.previous_secret_sealed, w.previous_secret_until, w.failed_attempts
FROM started s
JOIN webhook_events e ON e.id = s.event_id
JOIN webhooks w ON w.id = s.webhook_id;
