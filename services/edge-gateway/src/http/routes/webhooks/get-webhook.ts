import { webhookResponse } from '@tollgate/api';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { webhookParams } from './params.js';
import { webhookJson } from './render.js';

export const getWebhook = defineRoute({
  method: 'GET',
  path: '/projects/:id/webhooks/:webhook_id',
  tag: 'Webhooks',
  summary: 'Get a webhook',
  auth: ['owner'],
  params: webhookParams,
  success: { status: 200, schema: webhookResponse },
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'webhook');
    const { webhook } = await ctx.clients.hooks.getWebhook(
      { webhookId: input.params.webhook_id },
      input.call.with({ principal }),
    );
    return { body: { webhook: webhookJson(webhook) } };
  },
});
