-- name: visit_endpoints :many
-- Visits the endpoints after `after` until `found_max` of them have due queues and free places: `endpoint_max` for a healthy one, 1 for
-- a failing one, which counts only with `takes_failing`. Locks these endpoints for the transaction; those that are not locked have
-- another claim. The time of the others is that of their first queue.
WITH RECURSIVE walk AS (
  SELECT :after::uuid AS webhook_id, NULL::timestamptz AS due_at, false AS is_open, 0 AS place, 0 AS found
  UNION ALL
  SELECT next.webhook_id, next.due_at, open.is_open, walk.place + 1, walk.found + open.is_open::int
  FROM walk
  CROSS JOIN LATERAL (
    -- One step from endpoint to endpoint in the index.
    SELECT webhook_id, due_at FROM webhook_lanes
    WHERE leased_until IS NULL AND webhook_id > walk.webhook_id
    ORDER BY webhook_id, due_at
    LIMIT 1) AS next
  CROSS JOIN LATERAL (
    SELECT coalesce(next.due_at <= now() AND EXISTS (
      SELECT FROM webhooks w
      WHERE w.id = next.webhook_id AND w.enabled AND w.deleted_at IS NULL AND (:takes_failing OR w.failed_attempts = 0)
        AND CASE WHEN w.failed_attempts > 0 THEN 1 ELSE :endpoint_max::int END > (
          SELECT count(*) FROM (
            SELECT FROM webhook_lanes l
            WHERE l.webhook_id = w.id AND l.leased_until IS NOT NULL
            LIMIT :endpoint_max) AS busy)), false) AS is_open) AS open
  WHERE walk.place < 256 /* ENDPOINTS_VISITED_MAX */ AND walk.found < :found_max::int
)
SELECT webhook_id AS "key!",
  CASE WHEN is_open THEN pg_try_advisory_xact_lock(7223063, hashtext(webhook_id::text)) END AS "isLocked",
  CASE WHEN due_at > now() THEN extract(epoch FROM due_at - now())::float * 1000 END AS "dueInMs"
FROM walk
WHERE place > 0
ORDER BY place;

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
