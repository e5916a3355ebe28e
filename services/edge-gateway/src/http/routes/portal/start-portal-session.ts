import { type PortalSessionResponse, portalSessionResponse, startPortalSessionBody } from '@tollgate/api/identity';
import { toStoredUserAgent } from '../../../domain/portal-code.js';
import { refuseSecret } from '../../../limits/rate-limit.js';
import { startPortalSession as start } from '../../../operations/portal/start-portal-session.js';
import { defineRoute } from '../../exchange/route.js';

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
