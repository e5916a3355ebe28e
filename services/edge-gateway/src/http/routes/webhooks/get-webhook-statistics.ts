import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { webhookStatisticsQuery, webhookStatisticsResponse } from '@tollgate/api/hooks';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { statisticsJson } from './render-reports.js';

const HOUR_MS = 3_600_000;
const DEFAULT_RANGE_MS = { hour: 24 * HOUR_MS, day: 30 * 24 * HOUR_MS };

export const getWebhookStatistics = defineRoute({
  method: 'GET',
  path: '/projects/:id/webhooks/:webhook_id/statistics',
  tag: 'Webhooks',
  summary: "Count a webhook's deliveries by status, with success rate and latency",
  operationId: 'getWebhookStatistics',
  description:
    '`from` is inclusive and `to` is exclusive; a delivery counts in the interval in which it was queued. At most 8 days by ' +
    'hour and 200 days by day, and at most 1,000,000 deliveries. Samples of `…/test` are not counted.',
  auth: ['owner'],
  params: z.object({ id: z.string(), webhook_id: z.string() }),
  query: webhookStatisticsQuery,
  success: { status: 200, schema: webhookStatisticsResponse },
  refusals: [400, 404],
  errorShape: 'simple',
  async handler(input, ctx) {
    const { interval, ...query } = input.query;
    const principal = await requireProject(ctx, input, input.params.id, 'webhook');
    const to = query.to === undefined ? ctx.clock.now() : new Date(query.to);
    const from = query.from === undefined ? new Date(to.getTime() - DEFAULT_RANGE_MS[interval]) : new Date(query.from);
    const range = { from: timestampFromDate(from), to: timestampFromDate(to), interval };
    const request = { webhookId: input.params.webhook_id, ...range };
    const statistics = await ctx.clients.hooks.getWebhookStatistics(request, input.call.with({ principal }));
    return { body: { from: from.toISOString(), to: to.toISOString(), interval, ...statisticsJson(statistics) } };
  },
});
