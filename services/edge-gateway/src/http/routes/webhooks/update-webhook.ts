import { updateWebhookBody, webhookResponse } from '@tollgate/api/hooks';
import { webhookJson } from './render.js';
import { endpointRoute } from './webhook-route.js';
import { webhookSettings } from './webhook-settings.js';

/** With `rotate_secret`, returns a new signing secret that replaces the old one at once. */
export const updateWebhook = endpointRoute({
  method: 'PUT',
  summary: 'Update a webhook or rotate its secret',
  operationId: 'updateWebhook',
  description:
    'Omitted optional fields keep their values. `rotate_secret` replaces the secret and returns the new one.',
  body: updateWebhookBody,
  success: { status: 200, schema: webhookResponse },
  audit: 'webhook.updated',
  async handler({ id, body, call }, { clients }) {
    const request = { ...webhookSettings(body), webhookId: id, rotateSecret: body.rotate_secret ?? false };
    const { webhook } = await clients.hooks.updateWebhook(request, call);
    return { body: { webhook: webhookJson(webhook) } };
  },
});
