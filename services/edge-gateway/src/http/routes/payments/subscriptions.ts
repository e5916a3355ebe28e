import {
  billingPortalInputSchema,
  billingPortalSchema,
  checkoutSessionSchema,
  myCheckoutSchema,
  subscribeCustomerSchema,
  subscriptionSchema,
  tierCheckoutSchema,
} from '@tollgate/api/billing';
import { AppError } from '@tollgate/errors';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { subscriptionJson } from '../customers/customer-json.js';
import { customerParams } from '../customers/customers.js';

export const subscribeCustomer = defineRoute({
  method: 'POST',
  path: '/customers/:id/subscribe',
  tag: 'Payments',
  summary: 'Create a checkout of a paid tier for a customer',
  operationId: 'subscribeCustomer',
  description: 'Open `url` in the browser of the customer. The subscription starts when the payment is complete.',
  auth: ['secret_key'],
  params: customerParams,
  body: subscribeCustomerSchema,
  success: { status: 201, schema: checkoutSessionSchema },
  refusals: [409],
  idempotent: true,
  handler: async ({ params, body, call }, ctx) => {
    const req = {
      customerId: params.id,
      tier: { case: 'tierId' as const, value: body.tier_id },
      successUrl: body.success_url,
      cancelUrl: body.cancel_url,
    };
    const { sessionId, url } = await ctx.clients.payments.createCheckout(req, call);
    return { status: 201, body: { session_id: sessionId, url } };
  },
});

/** The payer becomes a customer with the email that the processor collects. */
export const createTierCheckout = defineRoute({
  method: 'POST',
  path: '/tiers/:id/checkout',
  tag: 'Payments',
  summary: 'Create a checkout of a paid tier for a new customer',
  operationId: 'createTierCheckout',
  description:
    'The customer is created when the payment is complete. Open `url` in the browser of the person who pays.',
  auth: ['secret_key'],
  params: z.object({ id: z.string() }),
  body: tierCheckoutSchema,
  success: { status: 200, schema: checkoutSessionSchema },
  refusals: [409],
  idempotent: true,
  handler: async ({ params, body, call }, ctx) => {
    const req = {
      tier: { case: 'tierId' as const, value: params.id },
      successUrl: body.success_url,
      cancelUrl: body.cancel_url,
    };
    const { sessionId, url } = await ctx.clients.payments.createCheckout(req, call);
    return { body: { session_id: sessionId, url } };
  },
});

export const createMyCheckout = defineRoute({
  method: 'POST',
  path: '/customers/me/checkout',
  tag: 'Customer self-service',
  summary: 'Create a checkout of a paid tier for yourself',
  operationId: 'createMyCheckout',
  description:
    'Open `url` in your browser. The subscription starts when the payment is complete. If a payment of your subscription has failed, `url` leads to your page at the payment processor instead.',
  auth: ['customer'],
  body: myCheckoutSchema,
  success: { status: 200, schema: checkoutSessionSchema },
  refusals: [404, 409],
  idempotent: true,
  handler: async ({ principal, body, call }, ctx) => {
    const req = {
      customerId: principal.customerId,
      tier: { case: 'tierCode' as const, value: body.tier_code },
      successUrl: body.success_url,
      cancelUrl: body.cancel_url,
    };
    const { sessionId, url } = await ctx.clients.payments.createCheckout(req, call);
    return { body: { session_id: sessionId, url } };
  },
});

export const createMyBillingPortal = defineRoute({
  method: 'POST',
  path: '/customers/me/billing-portal',
  tag: 'Customer self-service',
  summary: "Open the payment processor's page for your cards, invoices and cancellation",
  operationId: 'createMyBillingPortal',
  description: 'Open `url` in your browser soon: the page expires. It leads back to `return_url`.',
  auth: ['customer'],
  body: billingPortalInputSchema,
  success: { status: 200, schema: billingPortalSchema },
  refusals: [409],
  idempotent: true,
  handler: async ({ principal, body, call }, ctx) => {
    const req = { customerId: principal.customerId, returnUrl: body.return_url };
    const { url } = await ctx.clients.payments.createBillingPortal(req, call);
    return { body: { url } };
  },
});

export const resumeMySubscription = defineRoute({
  method: 'POST',
  path: '/customers/me/subscription/resume',
  tag: 'Customer self-service',
  summary: 'Take the scheduled cancellation of your subscription back',
  operationId: 'resumeMySubscription',
  description: 'Possible until `cancel_at`. Changes nothing where no cancellation is scheduled.',
  auth: ['customer'],
  success: { status: 200, schema: z.object({ subscription: subscriptionSchema }) },
  refusals: [404, 409],
  audit: 'subscription.resumed',
  idempotent: true,
  handler: async ({ principal, call }, ctx) => {
    const req = { customerId: principal.customerId };
    const { subscription } = await ctx.clients.payments.resumeSubscription(req, call);
    if (!subscription) throw new AppError('NOT_FOUND', 'no subscription');
    return {
      body: { subscription: subscriptionJson(subscription) },
      audited: { subjectId: principal.customerId },
    };
  },
});
