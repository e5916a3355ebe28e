import { autoTopUpSchema, confirmCardSetupSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';
import { autoTopUpJson } from '../payments-json.js';

export const confirmCardSetup = defineRoute({
  method: 'POST',
  path: '/account/billing/auto-topup/confirm',
  tag: 'Account',
  summary: 'Store the card of a finished setup',
  operationId: 'confirmCardSetup',
  description: 'Call it when the payment processor’s page reports success.',
  auth: ['owner'],
  body: confirmCardSetupSchema,
  success: { status: 200, schema: autoTopUpSchema },
  refusals: [404, 409],
  handler: async ({ body, call }, ctx) => {
    const req = { setupIntentId: body.setup_intent_id };
    return { body: autoTopUpJson((await ctx.clients.payments.confirmCardSetup(req, call)).autoTopUp) };
  },
});
