-- name: read_delivery_statistics :many
-- Counts deliveries that were queued in a range by the start of their interval, and in total: `at` is null in the last row. The
-- percentiles are those of the last attempts that were answered; null if there are none.
-- unprepared: the plan depends on the range
WITH delivery AS MATERIALIZED (
  SELECT created_at, status, latency_ms FROM webhook_deliveries
  WHERE webhook_id = :webhook_id AND created_at >= :from AND created_at < :to AND NOT is_test LIMIT :rows_max::int + 1
),
figures AS (
  SELECT date_trunc(:interval, created_at, 'UTC') AS at, count(*) AS read,
    count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'processing') AS processing,
    count(*) FILTER (WHERE status = 'delivered') AS delivered, count(*) FILTER (WHERE status = 'failed') AS failed,
    percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY latency_ms) AS latency
  FROM delivery GROUP BY GROUPING SETS ((1), ())
)
SELECT at, read AS "read!", pending AS "pending!", processing AS "processing!", delivered AS "delivered!", failed AS "failed!",
  latency[1] AS p50, latency[2] AS p95, latency[3] AS p99
FROM figures ORDER BY at NULLS LAST
