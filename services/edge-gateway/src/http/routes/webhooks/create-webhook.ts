import { createWebhookBody, webhookResponse } from '@tollgate/api';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { projectParams } from './params.js';
import { webhookJson } from './render.js';
import { webhookSettings } from './webhook-settings.js';

/** The answer carries the signing secret; no later one does. */
export const createWebhook = defineRoute({
  method: 'POST',
  path: '/projects/:id/webhooks',
  tag: 'Webhooks',
  summary: 'Create a webhook',
  auth: ['owner'],
  params: projectParams,
  body: createWebhookBody,
  success: { status: 201, schema: webhookResponse },
  audit: 'webhook.created',
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { webhook } = await ctx.clients.hooks.createWebhook(
      webhookSettings(input.body),
      input.call.with({ principal }),
    );
    return { status: 201, body: { webhook: webhookJson(webhook) } };
  },
});
