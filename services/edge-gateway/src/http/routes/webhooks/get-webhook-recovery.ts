import { webhookRecoveryResponse } from '@tollgate/api/hooks';
import { z } from 'zod';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { recoveryJson } from './render-reports.js';

export const getWebhookRecovery = defineRoute({
  method: 'GET',
  path: '/projects/:id/webhooks/:webhook_id/recoveries/:recovery_id',
  tag: 'Webhooks',
  summary: 'Get the progress of a recovery',
  operationId: 'getWebhookRecovery',
  description: 'How many failed deliveries were queued again, and how many follow.',
  auth: ['owner'],
  params: z.object({ id: z.string(), webhook_id: z.string(), recovery_id: z.string() }),
  success: { status: 200, schema: webhookRecoveryResponse },
  refusals: [404],
  errorShape: 'simple',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'webhook');
    const { recovery } = await ctx.clients.hooks.getWebhookRecovery(
      { webhookId: input.params.webhook_id, recoveryId: input.params.recovery_id },
      input.call.with({ principal }),
    );
    return { body: { recovery: recoveryJson(recovery) } };
  },
});
