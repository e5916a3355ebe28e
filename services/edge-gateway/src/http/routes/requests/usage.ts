import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { unchargedUsageQuery, unchargedUsageSchema } from '@tollgate/api/billing';
import { projectUsageQuery, projectUsageSchema, type UsageFigures } from '@tollgate/api/reports';
import type { UnchargedUsage } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { toReportNumber } from '@tollgate/money';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { fromLatencyBucket } from '../../../domain/reports/latency-buckets.js';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { toReportRange } from '../../../domain/reports/report-range.js';
import { oldestMs } from '../../../operations/record-requests.js';
import { readBounded } from '../../../store/requests/bounded-read.js';
import { sumRequests, type UsageRow } from '../../../store/requests/request-usage.js';
import { defineRoute } from '../../exchange/route.js';
import { requirePlace } from '../require-place.js';
import { timeJson } from '../to-json.js';
import { projectParams, toFilter } from './requests.js';

const DAYS_MAX = { hour: 8, day: 93, total: 93 } as const;

export const getProjectUsage = defineRoute({
  method: 'GET',
  path: '/projects/:id/usage',
  tag: 'Reports',
  summary: "Add up a project's requests by hour or day and by model, customer, key, tier or status",
  auth: ['owner', 'secret_key'],
  params: projectParams,
  query: projectUsageQuery,
  success: { status: 200, schema: projectUsageSchema },
  refusals: [404],
  async handler(input, ctx) {
    const { query } = input;
    const { projectId } = await requireProject(ctx, input, input.params.id);
    const filter = toFilter(projectId, toReportRange(query, ctx.clock.now(), DAYS_MAX[query.interval]), query);
    const by = { interval: query.interval, groupBy: query.group_by, limit: query.limit };
    const since = new Date(oldestMs(ctx));
    const { totals, rows } = await readBounded(ctx.pool, (tx) => sumRequests(tx, filter, by, since));
    const shown = rows.slice(0, query.limit);
    return {
      body: {
        usage: shown.map((row) => ({
          start: row.start?.toISOString(),
          group: query.group_by === undefined ? undefined : (row.group ?? undefined),
          ...figuresJson(row),
        })),
        totals: figuresJson(totals),
        has_more: rows.length > shown.length,
      },
    };
  },
});

function figuresJson(row: UsageRow): UsageFigures {
  const [p50, p95, p99] = row.durationBuckets ?? [];
  const [first50, first95] = row.firstOutputBuckets ?? [];
  const [revenue, cost] = [BigInt(row.revenueMicrocents), BigInt(row.costMicrocents)];
  return {
    requests: Number(row.requests),
    succeeded: Number(row.succeeded),
    failed: Number(row.failed),
    refused: Number(row.refused),
    unreported: Number(row.unreported),
    input_tokens: toReportNumber(BigInt(row.inputTokens)),
    output_tokens: toReportNumber(BigInt(row.outputTokens)),
    images: toReportNumber(BigInt(row.images)),
    revenue_microcents: toReportNumber(revenue),
    cost_microcents: toReportNumber(cost),
    margin_microcents: toReportNumber(revenue - cost),
    duration_p50_ms: toMs(p50),
    duration_p95_ms: toMs(p95),
    duration_p99_ms: toMs(p99),
    first_output_p50_ms: toMs(first50),
    first_output_p95_ms: toMs(first95),
  };
}

function toMs(bucket: number | null | undefined): number | undefined {
  return bucket === null || bucket === undefined ? undefined : fromLatencyBucket(bucket);
}

export const listUnchargedUsage = defineRoute({
  method: 'GET',
  path: '/projects/:id/uncharged-usage',
  tag: 'Reports',
  summary: 'List requests with usage that no customer paid for, newest first',
  operationId: 'listUnchargedUsage',
  description:
    'Overrun is usage beyond what was held. Unreconciled usage was never reported by its provider: its figure is an upper ' +
    'bound, and disappears when a report arrives late.',
  auth: ['owner', 'secret_key'],
  params: z.object({ id: z.string() }),
  query: unchargedUsageQuery,
  success: { status: 200, schema: unchargedUsageSchema },
  refusals: [404],
  async handler(input, ctx) {
    const { limit, cursor, customer_id: customerId = '', kind = '' } = input.query;
    const principal = await requireProject(ctx, input, input.params.id);
    const after = cursor === undefined ? undefined : requirePlace(cursor);
    const place = after && { afterOccurredAt: timestampFromDate(after.at), afterId: after.id };
    const page = { limit, customerId, kind, ...place };
    const { usage, hasMore } = await ctx.clients.billing.listUnchargedUsage(page, input.call.with({ principal }));
    const last = usage.at(-1);
    const next =
      hasMore && last?.occurredAt ? { next_cursor: toCursor({ at: timestampDate(last.occurredAt), id: last.id }) } : {};
    return { body: { usage: usage.map(unchargedJson), ...next } };
  },
});

function unchargedJson(row: UnchargedUsage) {
  return {
    request_id: row.requestId,
    customer_id: row.customerId || undefined,
    model: row.modelId,
    overrun_microcents: toReportNumber(row.overrunMicrocents),
    unreconciled_microcents: toReportNumber(row.unreconciledMicrocents),
    occurred_at: timeJson(row.occurredAt),
  };
}
