import type { Queryable } from '@tollgate/postgres';

export interface StatisticsRow {
  /** Start of the interval; null in the total. */
  at: Date | null;
  pending: bigint;
  processing: bigint;
  delivered: bigint;
  failed: bigint;
  /** Of the last attempts that were answered; null if there are none. */
  p50: number | null;
  p95: number | null;
  p99: number | null;
}

export type StatisticsInterval = 'hour' | 'day';

export interface StatisticsRange {
  from: Date;
  to: Date;
  interval: StatisticsInterval;
}

/**
 * Counts a webhook's deliveries that were queued in a range, by interval and in total; the total is the last row. Reads at
 * most `rowsMax` deliveries; undefined if there are more.
 */
export async function readStatistics(
  db: Queryable,
  webhookId: string,
  { from, to, interval }: StatisticsRange,
  rowsMax: number,
): Promise<StatisticsRow[] | undefined> {
  const { rows } = await db.query<StatisticsRow & { read: bigint }>(
    `WITH delivery AS MATERIALIZED (
       SELECT created_at, status, latency_ms FROM webhook_deliveries
       WHERE webhook_id = $1 AND created_at >= $2 AND created_at < $3 AND NOT is_test LIMIT $5::int + 1
     ), figures AS (
       SELECT date_trunc($4, created_at, 'UTC') AS at, count(*) AS read,
         count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'processing') AS processing,
         count(*) FILTER (WHERE status = 'delivered') AS delivered, count(*) FILTER (WHERE status = 'failed') AS failed,
         percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY latency_ms) AS latency
       FROM delivery GROUP BY GROUPING SETS ((1), ())
     )
     SELECT at, read, pending, processing, delivered, failed, latency[1] AS p50, latency[2] AS p95, latency[3] AS p99
     FROM figures ORDER BY at NULLS LAST`,
    [webhookId, from, to, interval, rowsMax],
  );
  return Number(rows.at(-1)?.read ?? 0) > rowsMax ? undefined : rows;
}
