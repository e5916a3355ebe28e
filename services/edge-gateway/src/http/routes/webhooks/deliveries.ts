import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  listWebhookEventsQuery,
  listWebhookEventsResponse,
  recoverWebhookBody,
  webhookAttemptSchema,
  webhookDeliverySchema,
  webhookEventResponse,
  webhookRecoveryResponse,
  webhookRecoverySchema,
  webhookStatisticsQuery,
  webhookStatisticsResponse,
} from '@tollgate/api/hooks';
import { nextCursor } from '@tollgate/api/values';
import type {
  GetWebhookStatisticsResponse,
  WebhookDelivery,
  WebhookRecovery,
  WebhookStatistics,
} from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import { toReportNumber } from '@tollgate/money';
import { parseExactJson } from '@tollgate/runtime';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { timeJson, toJson } from '../to-json.js';
import { endpointRoute } from './webhooks.js';

const webhookEventParams = z.object({ id: z.string(), webhook_id: z.string(), event_id: z.string() });

export const listWebhookEvents = endpointRoute({
  method: 'GET',
  action: '/events',
  summary: "List a webhook's deliveries, newest first",
  operationId: 'listWebhookEvents',
  description: 'Each delivery has its payload, its attempts and the endpoint’s last answer.',
  query: listWebhookEventsQuery,
  success: { status: 200, schema: listWebhookEventsResponse },
  async handler({ id, query, call }, { clients }) {
    const { limit, offset, event_type: eventType = '', status = '' } = query;
    const page = await clients.hooks.listWebhookDeliveries({ webhookId: id, limit, offset, eventType, status }, call);
    const events = page.deliveries.map(deliveryJson);
    return { body: { events, ...nextCursor(offset, events.length, page.hasMore) } };
  },
});

/** `event_id` in the path is the `id` of an entry of the delivery log. */
export const redeliverWebhookEvent = defineRoute({
  method: 'POST',
  path: '/projects/:id/webhooks/:webhook_id/events/:event_id/redeliver',
  tag: 'Webhooks',
  summary: 'Redeliver an event',
  operationId: 'redeliverWebhookEvent',
  description: 'Starts a new series of attempts with the same bytes and the same event id.',
  auth: ['owner'],
  params: webhookEventParams,
  success: { status: 200, schema: webhookEventResponse },
  refusals: [409],
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'webhook');
    const { delivery } = await ctx.clients.hooks.redeliverWebhookDelivery(
      { webhookId: input.params.webhook_id, deliveryId: input.params.event_id },
      input.call.with({ principal }),
    );
    return { body: { event: deliveryJson(delivery) } };
  },
});

export const recoverWebhook = defineRoute({
  method: 'POST',
  path: '/projects/:id/webhooks/:webhook_id/recover',
  tag: 'Webhooks',
  summary: "Send a webhook's failed deliveries since a time again",
  operationId: 'recoverWebhook',
  description:
    'Requeues every delivery created since then that has failed. Each keeps its bytes and event id, and gets new attempts. It ' +
    'continues in the background; the answer has its progress. Repeating the call while it runs changes nothing, and later finds ' +
    'only what failed again. 409 while the webhook is disabled, or while a recovery since another time is running.',
  auth: ['owner'],
  params: z.object({ id: z.string(), webhook_id: z.string() }),
  body: recoverWebhookBody,
  success: { status: 202, schema: webhookRecoveryResponse },
  refusals: [404, 409],
  errorShape: 'simple',
  idempotent: true,
  audit: 'webhook.recovered',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'webhook');
    const { recovery } = await ctx.clients.hooks.recoverWebhook(
      { webhookId: input.params.webhook_id, since: timestampFromDate(new Date(input.body.since)) },
      input.call.with({ principal }),
    );
    return { status: 202, body: { recovery: recoveryJson(recovery) } };
  },
});

export const getWebhookRecovery = defineRoute({
  method: 'GET',
  path: '/projects/:id/webhooks/:webhook_id/recoveries/:recovery_id',
  tag: 'Webhooks',
  summary: 'Get the progress of a recovery',
  operationId: 'getWebhookRecovery',
  description: 'How many failed deliveries were queued again, and how many follow.',
  auth: ['owner'],
  params: z.object({ id: z.string(), webhook_id: z.string(), recovery_id: z.string() }),
  success: { status: 200, schema: webhookRecoveryResponse },
  refusals: [404],
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'webhook');
    const { recovery } = await ctx.clients.hooks.getWebhookRecovery(
      { webhookId: input.params.webhook_id, recoveryId: input.params.recovery_id },
      input.call.with({ principal }),
    );
    return { body: { recovery: recoveryJson(recovery) } };
  },
});

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

function statisticsJson({ total, intervals }: GetWebhookStatisticsResponse) {
  return {
    total: figuresJson(total!),
    intervals: intervals.map((figures) => ({ at: timeJson(figures.at), ...figuresJson(figures) })),
  };
}

function figuresJson(figures: WebhookStatistics) {
  const { pending, processing, delivered, failed, latencyP50Ms, latencyP95Ms, latencyP99Ms } = figures;
  const ended = delivered + failed;
  return {
    deliveries: {
      pending: toReportNumber(pending),
      processing: toReportNumber(processing),
      delivered: toReportNumber(delivered),
      failed: toReportNumber(failed),
    },
    success_rate: ended === 0n ? null : Number(delivered) / Number(ended),
    latency_ms: { p50: latencyP50Ms, p95: latencyP95Ms, p99: latencyP99Ms },
  };
}

function recoveryJson(recovery: WebhookRecovery | undefined) {
  return toJson(webhookRecoverySchema, recovery!, {});
}

function deliveryJson(delivery: WebhookDelivery | undefined) {
  const { webhookId, payload, attempts } = delivery!;
  return toJson(webhookDeliverySchema, delivery!, {
    webhook_config_id: webhookId,
    payload: parseExactJson(Buffer.from(payload).toString('utf8')),
    attempts: attempts.map((attempt) => toJson(webhookAttemptSchema, attempt, {})),
  });
}
