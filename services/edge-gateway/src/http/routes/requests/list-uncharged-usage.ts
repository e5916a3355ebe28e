import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { unchargedUsageQuery, unchargedUsageSchema } from '@tollgate/api/billing';
import type { UnchargedUsage } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { toReportNumber } from '@tollgate/money';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { defineRoute } from '../../exchange/route.js';
import { timeJson } from '../customers/customer-json.js';
import { requirePlace } from '../require-place.js';

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
