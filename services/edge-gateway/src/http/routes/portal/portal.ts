import { myPaymentListQuery, paymentListSchema } from '@tollgate/api/billing';
import {
  type CustomerDeviceRecord,
  customerDeviceListResponse,
  type PortalSessionResponse,
  portalLinkBody,
  portalLinkResponse,
  portalSessionResponse,
  startPortalSessionBody,
} from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import { z } from 'zod';
import { toStoredUserAgent } from '../../../domain/portal-code.js';
import { refuseSecret } from '../../../limits/rate-limit.js';
import { createPortalLink as create } from '../../../operations/portal/create-portal-link.js';
import { startPortalSession as start } from '../../../operations/portal/start-portal-session.js';
import { revokeCustomerSession } from '../../../operations/tokens/revoke.js';
import { type CustomerSession, listCustomerSessions } from '../../../store/customer-sessions.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute } from '../../exchange/route.js';
import { customerParams } from '../customers/customers.js';
import { paymentListJson, paymentPage } from '../payments/payments-json.js';

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

/** The token is in the memory of the page: a frame of another site has no cookies of its own. */
export const startPortalSession = defineRoute({
  method: 'POST',
  path: '/portal/session',
  tag: 'Customer self-service',
  summary: 'Exchange the code of a link to the portal for a session',
  operationId: 'startPortalSession',
  description:
    'A code works once, within five minutes, in the project of its link. Attempts are limited per address. ' +
    'The token may use only the endpoints under `/customers/me`: it calls no model and starts no run.',
  auth: 'none',
  body: startPortalSessionBody,
  success: { status: 200, schema: portalSessionResponse },
  refusals: [401],
  handler: async ({ body, headers, address }, ctx) => {
    const userAgent = toStoredUserAgent(headers['user-agent']);
    const session = await start(ctx, { projectId: body.project_id.toLowerCase(), code: body.code, userAgent });
    if (!session) return refuseSecret('portal', address, 'the link was used before or has expired', ctx);
    const { id, token, expiresAt, returnUrl, projectId, portal } = session;
    const answer: PortalSessionResponse = {
      session_id: id,
      token,
      token_type: 'Bearer',
      expires_at: expiresAt.toISOString(),
      ...(returnUrl !== null && { return_url: returnUrl }),
      project: { id: projectId, name: portal.name, ...(portal.color !== null && { portal_color: portal.color }) },
    };
    return { body: answer, headers: { 'Cache-Control': 'no-store' } };
  },
});

export const listMyDevices = defineRoute({
  method: 'GET',
  path: '/customers/me/devices',
  tag: 'Customer self-service',
  summary: 'List the devices that are signed in for you, newest first',
  operationId: 'listMyDevices',
  description:
    'Devices that signed in by a code, and sessions of the portal; at most a hundred. Tokens that a backend minted are not listed.',
  auth: ['customer'],
  success: { status: 200, schema: customerDeviceListResponse },
  handler: async ({ principal: { projectId, customerId } }, ctx) => {
    const sessions = await listCustomerSessions(ctx.pool, projectId, customerId, ctx.clock.now());
    return { body: { devices: sessions.map(deviceJson) } };
  },
});

function deviceJson({ id, kind, userAgent, startedAt, expiresAt }: CustomerSession): CustomerDeviceRecord {
  return {
    id,
    kind,
    ...(userAgent !== null && { user_agent: userAgent }),
    signed_in_at: startedAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

export const signOutMyDevice = defineRoute({
  method: 'DELETE',
  path: '/customers/me/devices/:id',
  tag: 'Customer self-service',
  summary: 'Sign one of your devices out',
  operationId: 'signOutMyDevice',
  description: 'Its token is refused on every edge within five seconds.',
  auth: ['customer'],
  params: z.object({ id: z.string() }),
  success: { status: 204 },
  audit: 'customer.signed_out',
  handler: async ({ params, principal: { projectId, customerId } }, ctx) => {
    const id = params.id.toLowerCase();
    if (!isUuid(id) || !(await revokeCustomerSession(ctx, { id, projectId, customerId }))) {
      throw new AppError('NOT_FOUND', 'device not found');
    }
    return { status: 204 };
  },
});

export const listMyPayments = defineRoute({
  method: 'GET',
  path: '/customers/me/payments',
  tag: 'Customer self-service',
  summary: 'List your payments, newest first',
  operationId: 'listMyPayments',
  description: 'Top-ups of your wallet, payments of your subscription, refunds and disputes.',
  auth: ['customer'],
  query: myPaymentListQuery,
  success: { status: 200, schema: paymentListSchema },
  handler: async ({ query, principal: { customerId }, call }, ctx) => {
    const listed = await ctx.clients.payments.listProjectPayments({ ...paymentPage(query), customerId }, call);
    return { body: paymentListJson(listed) };
  },
});
