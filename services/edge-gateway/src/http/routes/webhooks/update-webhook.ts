import { updateWebhookBody, webhookResponse } from '@tollgate/api';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { webhookParams } from './params.js';
import { webhookJson } from './render.js';
import { webhookSettings } from './webhook-settings.js';

/** With `rotate_secret` the answer carries the new signing secret; the old one is void at once. */
export const updateWebhook = defineRoute({
  method: 'PUT',
  path: '/projects/:id/webhooks/:webhook_id',
  tag: 'Webhooks',
  summary: 'Update a webhook or rotate its secret',
  auth: ['owner'],
  params: webhookParams,
  body: updateWebhookBody,
  success: { status: 200, schema: webhookResponse },
  audit: 'webhook.updated',
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'webhook');
    const { webhook } = await ctx.clients.hooks.updateWebhook(
      {
        ...webhookSettings(input.body),
        webhookId: input.params.webhook_id,
        rotateSecret: input.body.rotate_secret ?? false,
      },
      input.call.with({ principal }),
    );
    return { body: { webhook: webhookJson(webhook) } };
  },
});
