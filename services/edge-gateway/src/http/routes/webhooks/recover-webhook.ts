import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { recoverWebhookBody, webhookRecoveryResponse } from '@tollgate/api/hooks';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { recoveryJson } from './render-reports.js';

export const recoverWebhook = defineRoute({
  method: 'POST',
  path: '/projects/:id/webhooks/:webhook_id/recover',
  tag: 'Webhooks',
  summary: "Send a webhook's failed deliveries since a time again",
  operationId: 'recoverWebhook',
  description:
    'Requeues every delivery created since then that has failed. Each keeps its bytes and event id, and gets new attempts. It ' +
    'continues in the background; the answer has its progress. Repeating the call while it runs changes nothing, and later finds ' +
    'only what failed again. 409 while the webhook is disabled, or while a recovery since another time is running.',
  auth: ['owner'],
  params: z.object({ id: z.string(), webhook_id: z.string() }),
  body: recoverWebhookBody,
  success: { status: 202, schema: webhookRecoveryResponse },
  refusals: [404, 409],
  errorShape: 'simple',
  idempotent: true,
  audit: 'webhook.recovered',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'webhook');
    const { recovery } = await ctx.clients.hooks.recoverWebhook(
      { webhookId: input.params.webhook_id, since: timestampFromDate(new Date(input.body.since)) },
      input.call.with({ principal }),
    );
    return { status: 202, body: { recovery: recoveryJson(recovery) } };
  },
});
