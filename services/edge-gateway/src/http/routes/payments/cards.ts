import {
  autoTopUpSchema,
  cardSetupCheckoutSchema,
  cardSetupSchema,
  cardVerificationSchema,
  cardVerificationSessionSchema,
  confirmCardSetupSchema,
  confirmCardVerificationSchema,
  startCardSetupCheckoutSchema,
  startCardVerificationSchema,
} from '@tollgate/api/billing';
import { defineRoute } from '../../exchange/route.js';
import { timeJson } from '../to-json.js';
import { returnUrls } from './checkouts.js';
import { autoTopUpJson, cardVerificationJson } from './payments-json.js';

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
