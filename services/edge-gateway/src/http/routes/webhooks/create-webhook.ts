import { createWebhookBody, webhookResponse } from '@tollgate/api/hooks';
import { webhookJson } from './render.js';
import { projectRoute } from './webhook-route.js';
import { webhookSettings } from './webhook-settings.js';

/** Returns the signing secret, which no later response contains. */
export const createWebhook = projectRoute({
  method: 'POST',
  summary: 'Create a webhook',
  operationId: 'createWebhook',
  description:
    'The answer has the signing secret, only this once. The section “webhooks” of this document describes the events.',
  body: createWebhookBody,
  success: { status: 201, schema: webhookResponse },
  audit: 'webhook.created',
  async handler({ body, call }, { clients }) {
    const { webhook } = await clients.hooks.createWebhook(webhookSettings(body), call);
    return { status: 201, body: { webhook: webhookJson(webhook) } };
  },
});
