import { webhookResponse } from '@tollgate/api/hooks';
import { webhookJson } from './render.js';
import { endpointRoute } from './webhook-route.js';

export const getWebhook = endpointRoute({
  method: 'GET',
  summary: 'Get a webhook',
  operationId: 'getWebhook',
  description: 'Returns the settings of a webhook, without its secret.',
  success: { status: 200, schema: webhookResponse },
  async handler({ id, call }, { clients }) {
    const { webhook } = await clients.hooks.getWebhook({ webhookId: id }, call);
    return { body: { webhook: webhookJson(webhook) } };
  },
});
