import { billingPortalInputSchema, billingPortalSchema } from '@tollgate/api/billing';
import { defineRoute } from '../../../exchange/route.js';

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
