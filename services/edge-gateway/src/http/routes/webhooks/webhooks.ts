import {
  createWebhookBody,
  listWebhooksQuery,
  listWebhooksResponse,
  testWebhookBody,
  testWebhookResponse,
  updateWebhookBody,
  webhookResponse,
  webhookSchema,
} from '@tollgate/api/hooks';
import { nextCursor } from '@tollgate/api/values';
import type { Webhook } from '@tollgate/contracts/hooks/v1/hooks_pb.js';
import type { z } from 'zod';
import { endpointRoutes, testResultJson } from '../endpoint-routes.js';
import { toJson } from '../to-json.js';

export const { projectRoute, endpointRoute } = endpointRoutes({
  segment: 'webhooks',
  idParam: 'webhook_id',
  tag: 'Webhooks',
  name: 'webhook',
});

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

/** Answers 200 even for a delivery that fails: the test was made, and the body has its result. */
export const testWebhook = endpointRoute({
  method: 'POST',
  action: '/test',
  summary: 'Send a sample event now',
  operationId: 'testWebhook',
  description:
    'Returns the endpoint’s answer. A test appears in the delivery log and does not count against the endpoint.',
  body: testWebhookBody,
  success: { status: 200, schema: testWebhookResponse },
  // The endpoint has up to 30 s to answer.
  timeoutMs: 40_000,
  async handler({ id, body, call }, { clients }) {
    const request = { webhookId: id, eventType: body.event_type ?? '' };
    return { body: testResultJson(await clients.hooks.testWebhook(request, call)) };
  },
});

/** Converts the settings of a create or update body; the service validates them. */
function webhookSettings(body: z.output<typeof createWebhookBody>) {
  return {
    endpointUrl: body.endpoint_url ?? '',
    events: body.events ?? [],
    ...(typeof body.enabled === 'boolean' && { enabled: body.enabled }),
    ...(typeof body.signature_form === 'string' && { signatureForm: body.signature_form }),
    ...(typeof body.retry_schedule === 'string' && { retrySchedule: body.retry_schedule }),
  };
}

function webhookJson(webhook: Webhook | undefined) {
  return toJson(webhookSchema, webhook!, {});
}
