import { updateWebhookBody, webhookResponse } from '@tollgate/api/hooks';
import { webhookJson } from './render.js';
import { endpointRoute } from './webhook-route.js';
import { webhookSettings } from './webhook-settings.js';

/** With `rotate_secret`, returns a new signing secret; the old one signs beside it for a while. */
export const updateWebhook = endpointRoute({
  method: 'PUT',
  summary: 'Update a webhook or rotate its secret',
  operationId: 'updateWebhook',
  description:
    'Omitted optional fields keep their values. `rotate_secret` replaces the secret and returns the new one. In the forms `timestamped` and `standard`, the old secret signs beside it for `overlap_seconds`.',
  body: updateWebhookBody,
  success: { status: 200, schema: webhookResponse },
  audit: 'webhook.updated',
  async handler({ id, body, call }, { clients }) {
    const { rotate_secret: rotateSecret, overlap_seconds: overlapSeconds } = body;
    const rotation = { rotateSecret: rotateSecret ?? false, ...(overlapSeconds != null && { overlapSeconds }) };
    const request = { ...webhookSettings(body), webhookId: id, ...rotation };
    const { webhook } = await clients.hooks.updateWebhook(request, call);
    return { body: { webhook: webhookJson(webhook) } };
  },
});
