import { cardVerificationSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';
import { cardVerificationJson } from '../payments-json.js';

export const getCardVerification = defineRoute({
  method: 'GET',
  path: '/account/card-verification',
  tag: 'Account',
  summary: "Get the status of the owner's card verification",
  operationId: 'getCardVerification',
  description: 'Reports whether a card is verified, and the credit that was granted for it.',
  auth: ['owner'],
  success: { status: 200, schema: cardVerificationSchema },
  handler: async ({ call }, ctx) => ({
    body: cardVerificationJson((await ctx.clients.payments.getCardVerification({}, call)).verification),
  }),
});
