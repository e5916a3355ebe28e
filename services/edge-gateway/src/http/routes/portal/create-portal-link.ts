import { portalLinkBody, portalLinkResponse } from '@tollgate/api/identity';
import { createPortalLink as create } from '../../../operations/portal/create-portal-link.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute } from '../../exchange/route.js';
import { customerParams } from '../customers/params.js';

export const createPortalLink = defineRoute({
  method: 'POST',
  path: '/customers/:id/portal-session',
  tag: 'Customers',
  summary: 'Create a link that opens the customer portal once',
  operationId: 'createPortalSession',
  description:
    'Redirect the customer to `url` within five minutes. It starts a session of one hour in which the customer sees its balance, plan, usage, payments and devices. `return_url` is shown as a link.',
  auth: ['secret_key'],
  params: customerParams,
  body: portalLinkBody,
  success: { status: 201, schema: portalLinkResponse },
  audit: 'customer.portal_link_created',
  handler: async ({ params, body, headers, call }, ctx) => {
    const base = publicBaseUrl(ctx, headers);
    const link = await create(ctx, { customerId: params.id, returnUrl: body.return_url }, call);
    return {
      body: { url: `${base}${link.path}`, expires_at: link.expiresAt.toISOString() },
      headers: { 'Cache-Control': 'no-store' },
    };
  },
});
