import { myPaymentListQuery, paymentListSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../exchange/route.js';
import { paymentListJson, paymentPage } from '../payments/payments-json.js';

export const listMyPayments = defineRoute({
  method: 'GET',
  path: '/customers/me/payments',
  tag: 'Customer self-service',
  summary: 'List your payments, newest first',
  operationId: 'listMyPayments',
  description: 'Top-ups of your wallet, payments of your subscription, refunds and disputes.',
  auth: ['customer'],
  query: myPaymentListQuery,
  success: { status: 200, schema: paymentListSchema },
  handler: async ({ query, principal: { customerId }, call }, ctx) => {
    const listed = await ctx.clients.payments.listProjectPayments({ ...paymentPage(query), customerId }, call);
    return { body: paymentListJson(listed) };
  },
});
