import type { Queryable } from '@tollgate/postgres';
import { HOLD_STATES } from '../../domain/hold.js';

/** Returns SQL for a sum that saturates at int64, so that no stored figures make a report fail. */
export function sumSql(column: string): string {
  return `least(coalesce(sum(${column}), 0), 9223372036854775807)::bigint`;
}

export interface DailyUsageRow {
  date: string;
  requests: bigint;
  tokens: bigint;
  costMicrocents: bigint;
}

/** Returns a customer's usage in one window, by day (UTC). */
export async function dailyUsage(db: Queryable, customerId: string, windowStartMs: number): Promise<DailyUsageRow[]> {
  const { rows } = await db.query<DailyUsageRow>({
    name: 'daily_usage',
    text: `SELECT to_char(day, 'YYYY-MM-DD') AS date, ${sumSql('requests')} AS requests,
        ${sumSql('input_tokens::numeric + output_tokens')} AS tokens, ${sumSql('customer_microcents')} AS "costMicrocents"
      FROM usage_rollups WHERE customer_id = $1 AND window_start = $2 GROUP BY day ORDER BY day`,
    values: [customerId, new Date(windowStartMs)],
  });
  return rows;
}

export interface UsageGroupRow {
  group: string;
  requests: bigint;
  inputTokens: bigint;
  outputTokens: bigint;
  images: bigint;
  customerMicrocents: bigint;
  providerMicrocents: bigint;
}

const NO_UUID = '00000000-0000-0000-0000-000000000000';

function named(column: string): string {
  return `CASE WHEN ${column} = '${NO_UUID}' THEN 'none' ELSE ${column}::text END`;
}

/** Columns that a report can be grouped by; `none` groups requests without a customer or key. */
export const USAGE_GROUPS = {
  day: "to_char(day, 'YYYY-MM-DD')",
  model: 'model_id',
  customer: named('customer_id'),
  key: named('key_id'),
} as const;

export interface UsageRange {
  ownerAccountId: string;
  /** Undefined for all projects of the owner. */
  projectId: string | undefined;
  /** YYYY-MM-DD, inclusive. */
  fromDay: string;
  /** YYYY-MM-DD, exclusive. */
  toDay: string;
}

const IN_RANGE = 'owner_account_id = $1 AND day >= $2 AND day < $3 AND ($4::uuid IS NULL OR project_id = $4)';

function rangeValues({ ownerAccountId, fromDay, toDay, projectId }: UsageRange): (string | null)[] {
  return [ownerAccountId, fromDay, toDay, projectId ?? null];
}

export async function groupedUsage(
  db: Queryable,
  range: UsageRange,
  group: keyof typeof USAGE_GROUPS,
  page: { take: number; skip: number },
): Promise<UsageGroupRow[]> {
  const { rows } = await db.query<UsageGroupRow>(
    `SELECT ${USAGE_GROUPS[group]} AS "group", ${sumSql('requests')} AS requests, ${sumSql('input_tokens')} AS "inputTokens",
       ${sumSql('output_tokens')} AS "outputTokens", ${sumSql('images')} AS images,
       ${sumSql('customer_microcents')} AS "customerMicrocents", ${sumSql('provider_microcents')} AS "providerMicrocents"
     FROM usage_rollups WHERE ${IN_RANGE} GROUP BY 1 ORDER BY 1 LIMIT $5 OFFSET $6`,
    [...rangeValues(range), page.take, page.skip],
  );
  return rows;
}

/** Sums usage that is not charged: overrun and unreconciled. */
export async function unpaidUsage(
  db: Queryable,
  range: UsageRange,
): Promise<{ overrun: bigint; unreconciled: bigint }> {
  const { rows } = await db.query<{ overrun: bigint; unreconciled: bigint }>(
    `SELECT ${sumSql('overrun_microcents')} AS overrun, ${sumSql('unreconciled_microcents')} AS unreconciled
     FROM usage_rollups WHERE ${IN_RANGE}`,
    rangeValues(range),
  );
  return rows[0] as { overrun: bigint; unreconciled: bigint };
}

/** Counts the owner's open holds, and sums its usage that is not charged. */
export async function ledgerTotals(
  db: Queryable,
  ownerAccountId: string,
): Promise<{ openHolds: bigint; overrun: bigint; unreconciled: bigint }> {
  const { rows } = await db.query<{ openHolds: bigint; overrun: bigint; unreconciled: bigint }>(
    `SELECT (SELECT count(*) FROM holds WHERE state = ${HOLD_STATES.open} AND owner_account_id = $1) AS "openHolds",
       ${sumSql('overrun_microcents')} AS overrun,
       ${sumSql('unreconciled_microcents')} AS unreconciled
     FROM usage_rollups WHERE owner_account_id = $1`,
    [ownerAccountId],
  );
  return rows[0] as { openHolds: bigint; overrun: bigint; unreconciled: bigint };
}
