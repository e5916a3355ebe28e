-- name: lock_valid_leases :many
-- Locks the queues of leases that are still valid and returns the places of these leases.
-- pack leases: webhook_id uuid, ordering_key text, epoch int, delivery_id uuid, round int, place int
SELECT r.place AS "place!"
FROM webhook_lanes l JOIN :leases AS r ON l.webhook_id = r.webhook_id AND l.lane_key = r.ordering_key
WHERE l.epoch = r.epoch AND l.delivery_id = r.delivery_id AND l.leased_until IS NOT NULL
  AND r.round = (SELECT d.round FROM webhook_deliveries d WHERE d.id = l.delivery_id)
ORDER BY l.webhook_id, l.lane_key FOR UPDATE OF l;

-- name: save_endpoint_health :exec
-- pack changes: webhook_id uuid, failed_deliveries int, failed_attempts int, disable text?
UPDATE webhooks w
SET failed_deliveries = c.failed_deliveries, failed_attempts = c.failed_attempts, enabled = w.enabled AND c.disable IS NULL,
  disabled_reason = CASE WHEN w.enabled THEN c.disable ELSE w.disabled_reason END,
  updated_at = CASE WHEN w.enabled AND c.disable IS NOT NULL THEN now() ELSE w.updated_at END
FROM :changes AS c WHERE w.id = c.webhook_id
