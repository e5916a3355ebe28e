import { cardSetupSchema } from '@tollgate/api';
import { defineRoute } from '../../../exchange/route.js';

/**
 * The client secret goes to the processor's own form in the owner's browser; no card number ever comes here. Takes no
 * `Idempotency-Key`: the secret must not lie in a record.
 */
export const startCardSetup = defineRoute({
  method: 'POST',
  path: '/account/billing/auto-topup/setup',
  tag: 'Account',
  summary: 'Begin keeping a card for automatic top-ups',
  auth: ['owner'],
  success: { status: 200, schema: cardSetupSchema },
  refusals: [409],
  handler: async ({ call }, ctx) => {
    const { setupIntentId, clientSecret, status } = await ctx.clients.payments.startCardSetup({}, call);
    return { body: { setup_intent_id: setupIntentId, client_secret: clientSecret, status } };
  },
});
