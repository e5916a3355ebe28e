import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';

/** The ledger verifies the signature over the raw body; 200 after the effect is durable. */
export const receiveStripeWebhook = defineRoute({
  method: 'POST',
  path: '/billing/webhooks/stripe',
  tag: 'Payments',
  summary: "Receive the payment processor's webhook events",
  operationId: 'receiveStripeWebhook',
  description:
    'Only the payment processor calls it. The signature is verified over the raw body, and an event counts once.',
  auth: 'none',
  // The processor's signature is the credential; its events may exceed the limit for unauthenticated bodies.
  bodyClass: 'standard',
  success: { status: 200, schema: z.object({ received: z.literal(true) }) },
  handler: async ({ rawBody, headers, call }, ctx) => {
    const signature = headers['stripe-signature'];
    // The name of the RPC stays: the replicas of a rolling update call it.
    await ctx.clients.payments.receiveNotice(
      { payload: rawBody, signature: typeof signature === 'string' ? signature : '' },
      call,
    );
    return { body: { received: true } };
  },
});
