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
) due
