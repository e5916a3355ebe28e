import type { ProjectUsageQuery } from '@tollgate/api/reports';
import type { Queryable } from '@tollgate/postgres';
import { type RequestFilter, StatementValues, toCondition } from './request-filter.js';

export interface UsageGrouping {
  interval: ProjectUsageQuery['interval'];
  groupBy: ProjectUsageQuery['group_by'];
  limit: number;
}

export interface UsageRow {
  /** Null in the totals, and for the whole range. */
  start: Date | null;
  group: string | null;
  isTotal: boolean;
  requests: bigint;
  succeeded: bigint;
  failed: bigint;
  refused: bigint;
  unreported: bigint;
  /** Sums are numeric in PostgreSQL, which arrive as text. */
  inputTokens: string;
  outputTokens: string;
  images: string;
  revenueMicrocents: string;
  costMicrocents: string;
  /** p50, p95, p99; null without a value. */
  durations: (bigint | null)[] | null;
  /** p50, p95 */
  firstOutputs: (bigint | null)[] | null;
}

const STARTS = {
  hour: "date_trunc('hour', r.at, 'UTC')",
  day: "date_trunc('day', r.at, 'UTC')",
  total: 'NULL::timestamptz',
} as const;

const GROUPS = {
  model: 'r.model',
  customer: 'r.customer_id::text',
  key: 'r.key_id::text',
  tier: 'r.tier_code',
  status: 'r.status',
} as const;

/** Adds requests up by interval and group in one pass; the first row has the totals. Returns at most `limit` + 1 others. */
export async function sumRequests(db: Queryable, filter: RequestFilter, by: UsageGrouping): Promise<UsageRow[]> {
  const sql = new StatementValues();
  const condition = toCondition(filter, sql);
  const group = by.groupBy === undefined ? 'NULL::text' : `coalesce(${GROUPS[by.groupBy]}, 'none')`;
  const { rows } = await db.query<UsageRow>(
    `SELECT start, "group", grouping(start, "group") = 3 AS "isTotal", count(*) AS requests,
            count(*) FILTER (WHERE status = 'succeeded') AS succeeded,
            count(*) FILTER (WHERE status = 'failed') AS failed,
            count(*) FILTER (WHERE status = 'refused') AS refused,
            count(*) FILTER (WHERE status = 'unreported') AS unreported,
            coalesce(sum(input_tokens), 0) AS "inputTokens", coalesce(sum(output_tokens), 0) AS "outputTokens",
            coalesce(sum(images), 0) AS images,
            coalesce(sum(revenue_microcents), 0) AS "revenueMicrocents",
            coalesce(sum(cost_microcents), 0) AS "costMicrocents",
            percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY duration_ms)
              FILTER (WHERE status <> 'refused') AS durations,
            percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY first_output_ms) AS "firstOutputs"
       FROM (SELECT ${STARTS[by.interval]} AS start, ${group} AS "group", r.* FROM requests r WHERE ${condition}) AS r
      GROUP BY GROUPING SETS ((start, "group"), ())
      ORDER BY "isTotal" DESC, start, requests DESC, "group" LIMIT ${sql.add(by.limit + 2)}`,
    sql.values,
  );
  return rows;
}
