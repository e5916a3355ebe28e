import { checkoutSessionSchema, myCheckoutSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';

export const createMyCheckout = defineRoute({
  method: 'POST',
  path: '/customers/me/checkout',
  tag: 'Customer self-service',
  summary: 'Create a checkout of a paid tier for yourself',
  operationId: 'createMyCheckout',
  description:
    'Open `url` in your browser. The subscription starts when the payment is complete. If a payment of your subscription has failed, `url` leads to your page at the payment processor instead.',
  auth: ['customer'],
  body: myCheckoutSchema,
  success: { status: 200, schema: checkoutSessionSchema },
  refusals: [404, 409],
  idempotent: true,
  handler: async ({ principal, body, call }, ctx) => {
    const req = {
      customerId: principal.customerId,
      tier: { case: 'tierCode' as const, value: body.tier_code },
      successUrl: body.success_url,
      cancelUrl: body.cancel_url,
    };
    const { sessionId, url } = await ctx.clients.payments.createCheckout(req, call);
    return { body: { session_id: sessionId, url } };
  },
});
