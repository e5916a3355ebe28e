import { webhookEventResponse } from '@tollgate/api/hooks';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { webhookEventParams } from './params.js';
import { deliveryJson } from './render.js';

/** `event_id` in the path is the `id` of an entry of the delivery log. */
export const redeliverWebhookEvent = defineRoute({
  method: 'POST',
  path: '/projects/:id/webhooks/:webhook_id/events/:event_id/redeliver',
  tag: 'Webhooks',
  summary: 'Redeliver an event',
  operationId: 'redeliverWebhookEvent',
  description: 'Starts a new series of attempts with the same bytes and the same event id.',
  auth: ['owner'],
  params: webhookEventParams,
  success: { status: 200, schema: webhookEventResponse },
  refusals: [409],
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'webhook');
    const { delivery } = await ctx.clients.hooks.redeliverWebhookDelivery(
      { webhookId: input.params.webhook_id, deliveryId: input.params.event_id },
      input.call.with({ principal }),
    );
    return { body: { event: deliveryJson(delivery) } };
  },
});
