// Generated from statistics.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface ReadDeliveryStatisticsInput {
  webhookId: string;
  from: Date;
  to: Date;
  rowsMax: number;
  interval: string;
}

export interface ReadDeliveryStatisticsRow {
  at: Date | null;
  read: bigint;
  pending: bigint;
  processing: bigint;
  delivered: bigint;
  failed: bigint;
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

const READ_DELIVERY_STATISTICS = `
  WITH delivery AS MATERIALIZED (
    SELECT created_at, status, latency_ms FROM webhook_deliveries
    WHERE webhook_id = $1 AND created_at >= $2 AND created_at < $3 AND NOT is_test LIMIT $4::int + 1
  ),
  figures AS (
    SELECT date_trunc($5, created_at, 'UTC') AS at, count(*) AS read,
      count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'processing') AS processing,
      count(*) FILTER (WHERE status = 'delivered') AS delivered, count(*) FILTER (WHERE status = 'failed') AS failed,
      percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY latency_ms) AS latency
    FROM delivery GROUP BY GROUPING SETS ((1), ())
  )
  SELECT at, read AS "read", pending AS "pending", processing AS "processing", delivered AS "delivered", failed AS "failed",
    latency[1] AS p50, latency[2] AS p95, latency[3] AS p99
  FROM figures ORDER BY at NULLS LAST`;

/**
 * Counts deliveries that were queued in a range by the start of their interval, and in total: `at` is null in the last row. The
 * percentiles are those of the last attempts that were answered; null if there are none.
 * Is planned at each call: the plan depends on the range
 */
export async function readDeliveryStatistics(db: Queryable, input: ReadDeliveryStatisticsInput): Promise<ReadDeliveryStatisticsRow[]> {
  const { rows } = await db.query<ReadDeliveryStatisticsRow>({
    text: READ_DELIVERY_STATISTICS,
    values: [
      input.webhookId,
      input.from,
      input.to,
      input.rowsMax,
      input.interval,
    ],
  });
  return rows;
}
