import { endpointRoute } from './webhook-route.js';

export const deleteWebhook = endpointRoute({
  method: 'DELETE',
  summary: 'Delete a webhook and cancel its pending deliveries',
  operationId: 'deleteWebhook',
  description: 'Deliveries that wait for a retry are canceled.',
  success: { status: 204 },
  audit: 'webhook.deleted',
  async handler({ id, call }, { clients }) {
    await clients.hooks.deleteWebhook({ webhookId: id }, call);
    return { status: 204 };
  },
});
