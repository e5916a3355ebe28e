import { cardVerificationSchema } from '@tollgate/api';
import { defineRoute } from '../../../exchange/route.js';
import { cardVerificationJson } from '../payments-json.js';

export const getCardVerification = defineRoute({
  method: 'GET',
  path: '/account/card-verification',
  tag: 'Account',
  summary: 'Whether a card of the owner is verified, and what came of it',
  auth: ['owner'],
  success: { status: 200, schema: cardVerificationSchema },
  handler: async ({ call }, ctx) => ({
    body: cardVerificationJson((await ctx.clients.payments.getCardVerification({}, call)).verification),
  }),
});
