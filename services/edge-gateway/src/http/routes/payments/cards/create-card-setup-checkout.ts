import { cardSetupCheckoutSchema, startCardSetupCheckoutSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';
import { timeJson } from '../../customers/customer-json.js';
import { returnUrls } from '../return-urls.js';

/** The page is the processor's: no page of the edge needs a script or a frame of another origin. */
export const createCardSetupCheckout = defineRoute({
  method: 'POST',
  path: '/account/billing/auto-topup/checkout',
  tag: 'Account',
  summary: 'Create a checkout that stores a card for automatic top-ups',
  operationId: 'createCardSetupCheckout',
  description:
    'Lead the browser to `checkout_url`. Nothing is charged there. The card is stored when the payment processor reports that the ' +
    'page is complete, and replaces the stored one.',
  auth: ['owner'],
  body: startCardSetupCheckoutSchema,
  success: { status: 201, schema: cardSetupCheckoutSchema },
  idempotent: true,
  handler: async (input, ctx) => {
    const req = returnUrls(ctx, input, input.body);
    const session = await ctx.clients.payments.startCardSetupCheckout(req, input.call);
    return {
      status: 201,
      body: {
        checkout_session_id: session.checkoutSessionId,
        checkout_url: session.checkoutUrl,
        expires_at: timeJson(session.expiresAt),
      },
    };
  },
});
