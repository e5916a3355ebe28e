import { autoTopUpSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';
import { autoTopUpJson } from '../payments-json.js';

export const getAutoTopUp = defineRoute({
  method: 'GET',
  path: '/account/billing/auto-topup',
  tag: 'Account',
  summary: 'Get the settings of automatic top-ups',
  operationId: 'getAutoTopUp',
  description: 'Returns threshold, amount, limits and the stored card.',
  auth: ['owner'],
  success: { status: 200, schema: autoTopUpSchema },
  handler: async ({ call }, ctx) => ({
    body: autoTopUpJson((await ctx.clients.payments.getAutoTopUp({}, call)).autoTopUp),
  }),
});
