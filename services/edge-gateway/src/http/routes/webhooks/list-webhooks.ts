import { listWebhooksQuery, listWebhooksResponse } from '@tollgate/api/hooks';
import { nextCursor } from '@tollgate/api/values';
import { webhookJson } from './render.js';
import { projectRoute } from './webhook-route.js';

export const listWebhooks = projectRoute({
  method: 'GET',
  summary: 'List webhooks, oldest first',
  operationId: 'listWebhooks',
  description: 'Returns settings without secrets.',
  query: listWebhooksQuery,
  success: { status: 200, schema: listWebhooksResponse },
  async handler({ query: { limit, offset }, call }, { clients }) {
    const page = await clients.hooks.listWebhooks({ limit, offset }, call);
    const webhooks = page.webhooks.map(webhookJson);
    return { body: { webhooks, ...nextCursor(offset, webhooks.length, page.hasMore) } };
  },
});
