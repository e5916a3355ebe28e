import { balanceSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';
import { customerParams } from '../params.js';
import { balanceJson } from './balance-json.js';

export const getCustomerBalance = defineRoute({
  method: 'GET',
  path: '/customers/:id/balance',
  tag: 'Customers',
  summary: "Get a customer's prepaid wallet",
  operationId: 'getCustomerBalance',
  description: 'The wallet pays for requests on pay-as-you-go tiers.',
  auth: ['secret_key'],
  params: customerParams,
  success: { status: 200, schema: balanceSchema },
  handler: async ({ params, call }, ctx) => ({
    body: balanceJson(await ctx.clients.billing.getCustomerBalance({ customerId: params.id }, call)),
  }),
});
