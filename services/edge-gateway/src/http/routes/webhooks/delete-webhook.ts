import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { webhookParams } from './params.js';

export const deleteWebhook = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/webhooks/:webhook_id',
  tag: 'Webhooks',
  summary: 'Delete a webhook; pending deliveries are canceled',
  auth: ['owner'],
  params: webhookParams,
  success: { status: 204 },
  audit: 'webhook.deleted',
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'webhook');
    await ctx.clients.hooks.deleteWebhook({ webhookId: input.params.webhook_id }, input.call.with({ principal }));
    return { status: 204 };
  },
});
