import { subscriptionSchema } from '@tollgate/api/billing';
import { AppError } from '@tollgate/errors';
import { z } from 'zod';
import { defineRoute } from '../../../exchange/route.js';
import { subscriptionJson } from '../customer-json.js';

export const getMySubscription = defineRoute({
  method: 'GET',
  path: '/customers/me/subscription',
  tag: 'Customer self-service',
  summary: 'Get your subscription',
  operationId: 'getMySubscription',
  description: 'The subscription names your tier, its price and the current period.',
  auth: ['customer'],
  success: { status: 200, schema: z.object({ subscription: subscriptionSchema }) },
  refusals: [404],
  handler: async ({ principal, call }, ctx) => {
    const { envelope } = await ctx.clients.billing.getCustomer(
      { by: { case: 'id', value: principal.customerId } },
      call,
    );
    if (!envelope?.subscription) throw new AppError('NOT_FOUND', 'no subscription');
    return { body: { subscription: subscriptionJson(envelope.subscription) } };
  },
});
