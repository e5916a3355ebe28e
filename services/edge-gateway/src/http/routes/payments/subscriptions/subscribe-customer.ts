import { checkoutSessionSchema, subscribeCustomerSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';
import { customerParams } from '../../customers/params.js';

export const subscribeCustomer = defineRoute({
  method: 'POST',
  path: '/customers/:id/subscribe',
  tag: 'Payments',
  summary: 'Create a checkout of a paid tier for a customer',
  operationId: 'subscribeCustomer',
  description: 'Open `url` in the browser of the customer. The subscription starts when the payment is complete.',
  auth: ['secret_key'],
  params: customerParams,
  body: subscribeCustomerSchema,
  success: { status: 201, schema: checkoutSessionSchema },
  refusals: [409],
  idempotent: true,
  handler: async ({ params, body, call }, ctx) => {
    const req = {
      customerId: params.id,
      tier: { case: 'tierId' as const, value: body.tier_id },
      successUrl: body.success_url,
      cancelUrl: body.cancel_url,
    };
    const { sessionId, url } = await ctx.clients.payments.createCheckout(req, call);
    return { status: 201, body: { session_id: sessionId, url } };
  },
});
