import { subscriptionSchema } from '@tollgate/api/billing';
import { AppError } from '@tollgate/errors';
import { z } from 'zod';
import { defineRoute } from '../../../exchange/route.js';
import { subscriptionJson } from '../customer-json.js';
import { customerParams } from '../params.js';

export const getCustomerSubscription = defineRoute({
  method: 'GET',
  path: '/customers/:id/subscription',
  tag: 'Customers',
  summary: "Get a customer's subscription",
  operationId: 'getCustomerSubscription',
  description: 'The subscription names the tier, its price and the current period.',
  auth: ['secret_key'],
  params: customerParams,
  success: { status: 200, schema: z.object({ subscription: subscriptionSchema }) },
  handler: async ({ params, call }, ctx) => {
    const { envelope } = await ctx.clients.billing.getCustomer({ by: { case: 'id', value: params.id } }, call);
    if (!envelope?.subscription) throw new AppError('NOT_FOUND', 'the customer has no subscription');
    return { body: { subscription: subscriptionJson(envelope.subscription) } };
  },
});
