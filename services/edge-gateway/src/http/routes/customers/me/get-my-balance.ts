import { balanceSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';
import { balanceJson } from '../billing/balance-json.js';

export const getMyBalance = defineRoute({
  method: 'GET',
  path: '/customers/me/balance',
  tag: 'Customer self-service',
  summary: 'Get your prepaid wallet',
  operationId: 'getMyBalance',
  description: 'The wallet pays for requests on pay-as-you-go tiers.',
  auth: ['customer'],
  success: { status: 200, schema: balanceSchema },
  refusals: [400, 404],
  handler: async ({ principal, call }, ctx) => ({
    body: balanceJson(await ctx.clients.billing.getCustomerBalance({ customerId: principal.customerId }, call)),
  }),
});
