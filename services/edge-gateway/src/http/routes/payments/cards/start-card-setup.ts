import { cardSetupSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';

/** The owner's browser passes the client secret to the processor's form; the edge never receives a card number. */
export const startCardSetup = defineRoute({
  method: 'POST',
  path: '/account/billing/auto-topup/setup',
  tag: 'Account',
  summary: 'Start storing a card for automatic top-ups',
  operationId: 'startCardSetup',
  description: 'Returns the secret with which the payment processor’s page stores a card.',
  auth: ['owner'],
  success: { status: 200, schema: cardSetupSchema },
  refusals: [409],
  handler: async ({ call }, ctx) => {
    const { setupIntentId, clientSecret, status } = await ctx.clients.payments.startCardSetup({}, call);
    return { body: { setup_intent_id: setupIntentId, client_secret: clientSecret, status } };
  },
});
