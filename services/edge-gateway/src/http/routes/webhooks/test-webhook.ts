import { testWebhookBody, testWebhookResponse } from '@tollgate/api';
import { requireProject } from '../../exchange/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { webhookParams } from './params.js';

/** A delivery that fails is an answer, not an error: the endpoint was tried, and this is how it went. */
export const testWebhook = defineRoute({
  method: 'POST',
  path: '/projects/:id/webhooks/:webhook_id/test',
  tag: 'Webhooks',
  summary: 'Send a sample event now',
  auth: ['owner'],
  params: webhookParams,
  body: testWebhookBody,
  success: { status: 200, schema: testWebhookResponse },
  errorShape: 'simple',
  // The endpoint has up to 30 s to answer.
  timeoutMs: 40_000,
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id, 'webhook');
    const result = await ctx.clients.hooks.testWebhook(
      { webhookId: input.params.webhook_id, eventType: input.body.event_type ?? '' },
      input.call.with({ principal }),
    );
    return {
      body: {
        status: result.status,
        response_status: result.responseStatus ?? null,
        response_body: result.responseBody,
        latency_ms: result.latencyMs,
        error: result.error ?? null,
      },
    };
  },
});
