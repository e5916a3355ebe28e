import { defineRoute } from '../../../exchange/route.js';
import { customerParams } from '../params.js';

export const cancelCustomerSubscription = defineRoute({
  method: 'DELETE',
  path: '/customers/:id/subscription',
  tag: 'Payments',
  summary: "Cancel a customer's subscription at the end of its period",
  operationId: 'cancelCustomerSubscription',
  description: 'The customer keeps the tier until the period ends.',
  auth: ['secret_key'],
  params: customerParams,
  success: { status: 204 },
  refusals: [409],
  audit: 'subscription.canceled',
  handler: async ({ params, call }, ctx) => {
    await ctx.clients.payments.cancelSubscription({ customerId: params.id }, call);
    return { status: 204 };
  },
});
