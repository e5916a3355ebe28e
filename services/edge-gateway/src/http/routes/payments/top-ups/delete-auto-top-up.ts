import { defineRoute } from '../../../exchange/route.js';

export const deleteAutoTopUp = defineRoute({
  method: 'DELETE',
  path: '/account/billing/auto-topup',
  tag: 'Account',
  summary: 'Delete the settings of automatic top-ups and their card',
  operationId: 'deleteAutoTopUp',
  description: 'The card is removed from the payment processor.',
  auth: ['owner'],
  success: { status: 204 },
  audit: 'auto_topup.deleted',
  handler: async ({ call }, ctx) => {
    await ctx.clients.payments.deleteAutoTopUp({}, call);
    return { status: 204 };
  },
});
