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
SELECT count(*)::int AS "queued!" FROM queued WHERE status = 'pending';

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

-- name: lock_valid_leases :many
-- Locks the queues of leases that are still valid and returns the places of these leases.
-- pack leases: webhook_id uuid, ordering_key text, epoch int, delivery_id uuid, round int, place int
SELECT r.place AS "place!"
FROM webhook_lanes l JOIN :leases AS r ON l.webhook_id = r.webhook_id AND l.lane_key = r.ordering_key
WHERE l.epoch = r.epoch AND l.delivery_id = r.delivery_id AND l.leased_until IS NOT NULL
  AND r.round = (SELECT d.round FROM webhook_deliveries d WHERE d.id = l.delivery_id)
ORDER BY l.webhook_id, l.lane_key FOR UPDATE OF l;

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
WHERE l.webhook_id = queue.webhook_id AND l.lane_key = queue.ordering_key AND queue.head IS NULL;

-- name: save_endpoint_health :exec
-- pack changes: webhook_id uuid, failed_deliveries int, failed_attempts int, disable text?
UPDATE webhooks w
SET failed_deliveries = c.failed_deliveries, failed_attempts = c.failed_attempts, enabled = w.enabled AND c.disable IS NULL,
  disabled_reason = CASE WHEN w.enabled THEN c.disable ELSE w.disabled_reason END,
  updated_at = CASE WHEN w.enabled AND c.disable IS NOT NULL THEN now() ELSE w.updated_at END
FROM :changes AS c WHERE w.id = c.webhook_id;

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

-- name: count_due_deliveries :one
-- Counts the queues that are due and not leased, at most 10,000 of 1,000 endpoints. A queue whose head waits for its retry is not due.
-- A loose index scan: its cost does not grow with the queues that are not due.
WITH RECURSIVE endpoint (webhook_id, place) AS (
  (SELECT webhook_id, 1 FROM webhook_lanes WHERE leased_until IS NULL ORDER BY webhook_id LIMIT 1)
  UNION ALL
  SELECT next.webhook_id, e.place + 1
  FROM endpoint e
  CROSS JOIN LATERAL (
    SELECT l.webhook_id FROM webhook_lanes l
    WHERE l.leased_until IS NULL AND l.webhook_id > e.webhook_id ORDER BY l.webhook_id LIMIT 1
  ) next
  WHERE e.place < 1000
)
SELECT count(*)::int AS "count!", coalesce(extract(epoch FROM clock_timestamp() - min(due.due_at)), 0)::float AS "oldestSeconds!"
FROM (
  SELECT l.due_at FROM endpoint e
  CROSS JOIN LATERAL (
    SELECT due_at FROM webhook_lanes
    WHERE webhook_id = e.webhook_id AND leased_until IS NULL AND due_at <= now() ORDER BY due_at LIMIT 10000
  ) l
  LIMIT 10000
) due;
