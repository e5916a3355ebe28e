import { checkoutSessionSchema, tierCheckoutSchema } from '@tollgate/api/billing';
import { z } from 'zod';
import { defineRoute } from '../../../exchange/route.js';

/** The payer becomes a customer with the email that the processor collects. */
export const createTierCheckout = defineRoute({
  method: 'POST',
  path: '/tiers/:id/checkout',
  tag: 'Payments',
  summary: 'Create a checkout of a paid tier for a new customer',
  operationId: 'createTierCheckout',
  description:
    'The customer is created when the payment is complete. Open `url` in the browser of the person who pays.',
  auth: ['secret_key'],
  params: z.object({ id: z.string() }),
  body: tierCheckoutSchema,
  success: { status: 200, schema: checkoutSessionSchema },
  refusals: [409],
  idempotent: true,
  handler: async ({ params, body, call }, ctx) => {
    const req = {
      tier: { case: 'tierId' as const, value: params.id },
      successUrl: body.success_url,
      cancelUrl: body.cancel_url,
    };
    const { sessionId, url } = await ctx.clients.payments.createCheckout(req, call);
    return { body: { session_id: sessionId, url } };
  },
});
