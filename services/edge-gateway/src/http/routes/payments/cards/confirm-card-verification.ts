import { cardVerificationSchema, confirmCardVerificationSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';
import { cardVerificationJson } from '../payments-json.js';

export const confirmCardVerification = defineRoute({
  method: 'POST',
  path: '/account/card-verification/confirm',
  tag: 'Account',
  summary: 'Finish a card verification; 409 while its checkout is unfinished, 422 for a prepaid card',
  operationId: 'confirmCardVerification',
  description: 'Call it when the checkout of the verification is complete.',
  auth: ['owner'],
  body: confirmCardVerificationSchema,
  success: { status: 200, schema: cardVerificationSchema },
  refusals: [404, 409, 422],
  handler: async ({ body, call }, ctx) => {
    const req = { checkoutSessionId: body.checkout_session_id };
    const { verification } = await ctx.clients.payments.confirmCardVerification(req, call);
    return { body: cardVerificationJson(verification) };
  },
});
