import { listWebhookEventsQuery, listWebhookEventsResponse, nextCursor } from '@tollgate/api';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { webhookParams } from './params.js';
import { deliveryJson } from './render.js';

export const listWebhookEvents = defineRoute({
  method: 'GET',
  path: '/projects/:id/webhooks/:webhook_id/events',
  tag: 'Webhooks',
  summary: "A webhook's delivery log, newest first",
  auth: ['owner'],
  params: webhookParams,
  query: listWebhookEventsQuery,
  success: { status: 200, schema: listWebhookEventsResponse },
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'webhook');
    const { limit, offset, event_type: eventType = '', status = '' } = input.query;
    const page = await ctx.clients.hooks.listWebhookDeliveries(
      { webhookId: input.params.webhook_id, limit, offset, eventType, status },
      input.call.with({ principal }),
    );
    const events = page.deliveries.map(deliveryJson);
    return { body: { events, ...nextCursor(offset, events.length, page.hasMore) } };
  },
});
