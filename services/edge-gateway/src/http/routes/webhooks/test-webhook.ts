import { testWebhookBody, testWebhookResponse } from '@tollgate/api/hooks';
import { testResultJson } from '../endpoint-routes.js';
import { endpointRoute } from './webhook-route.js';

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
