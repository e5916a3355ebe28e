import { listWebhookEventsQuery, listWebhookEventsResponse } from '@tollgate/api/hooks';
import { nextCursor } from '@tollgate/api/values';
import { deliveryJson } from './render.js';
import { endpointRoute } from './webhook-route.js';

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
