import { cardVerificationSessionSchema, startCardVerificationSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';
import { timeJson } from '../../customers/customer-json.js';
import { returnUrls } from '../return-urls.js';

export const startCardVerification = defineRoute({
  method: 'POST',
  path: '/account/card-verification',
  tag: 'Account',
  summary: 'Create a checkout that verifies a card of the owner; 409 when a card is verified',
  operationId: 'startCardVerification',
  description: 'A verified card may earn a free credit, once per card.',
  auth: ['owner'],
  body: startCardVerificationSchema,
  success: { status: 201, schema: cardVerificationSessionSchema },
  refusals: [409],
  idempotent: true,
  handler: async (input, ctx) => {
    const session = await ctx.clients.payments.startCardVerification(returnUrls(ctx, input, input.body), input.call);
    return {
      status: 201,
      body: {
        verification_id: session.verificationId,
        checkout_session_id: session.checkoutSessionId,
        checkout_url: session.checkoutUrl,
        expires_at: timeJson(session.expiresAt),
      },
    };
  },
});
