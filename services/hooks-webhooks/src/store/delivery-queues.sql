-- name: read_endpoint_demands :many
-- Reads what locked endpoints could use now, in their order. Counts stop at `endpoint_max`, so that the cost does not depend on the
-- length of queues.
SELECT w.id AS "webhookId", w.failed_attempts > 0 AS "isFailing!",
  (SELECT count(*)::int FROM (
     SELECT FROM webhook_lanes l WHERE l.webhook_id = w.id AND l.leased_until IS NOT NULL LIMIT :endpoint_max) busy) AS "busy!",
  (SELECT count(*)::int FROM (
     SELECT FROM webhook_lanes l
     WHERE l.webhook_id = w.id AND l.leased_until IS NULL AND l.due_at <= now() LIMIT :endpoint_max) due) AS "ready!",
  (SELECT extract(epoch FROM l.due_at - now())::float * 1000 FROM webhook_lanes l
   WHERE l.webhook_id = w.id AND l.leased_until IS NULL AND l.due_at > now()
   ORDER BY l.due_at LIMIT 1) AS "nextDueInMs?"
FROM unnest(:webhook_ids::uuid[]) WITH ORDINALITY AS e (webhook_id, place)
JOIN webhooks w ON w.id = e.webhook_id AND w.enabled AND w.deleted_at IS NULL
ORDER BY e.place;

-- name: find_expired_lanes :many
-- Finds leases that expired without a report because their worker crashed.
SELECT l.webhook_id, l.lane_key, l.epoch, d.id AS delivery_id, d.round, d.attempt_count, d.updated_at
FROM webhook_lanes l JOIN webhook_deliveries d ON d.id = l.delivery_id
WHERE l.leased_until IS NOT NULL AND l.leased_until < clock_timestamp()
LIMIT :limit;

-- name: postpone_expiry :exec
-- Extends leases that have expired, so that they are found again later.
-- pack leases: webhook_id uuid, ordering_key text, epoch int
UPDATE webhook_lanes l SET leased_until = clock_timestamp() + :delay_ms::float8 * interval '1 ms'
FROM :leases AS r
WHERE l.webhook_id = r.webhook_id AND l.lane_key = r.ordering_key AND l.epoch = r.epoch AND l.leased_until IS NOT NULL;
