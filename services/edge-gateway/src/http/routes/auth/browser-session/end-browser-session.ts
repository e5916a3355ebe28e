import { logOut } from '../../../../operations/tokens/log-out.js';
import { defineRoute } from '../../../exchange/route.js';
import { requireSameOrigin } from './require-same-origin.js';
import { noSessionCookie, readSessionCookie } from './session-cookie.js';

export const endBrowserSession = defineRoute({
  method: 'DELETE',
  path: '/auth/browser-session',
  tag: 'Authentication',
  summary: 'End the session in the cookie of this browser',
  operationId: 'endBrowserSession',
  description: 'Revokes the session and makes the browser delete its cookie. Rejects pages of other origins.',
  auth: 'none',
  success: { status: 204 },
  refusals: [403],
  handler: async ({ headers }, ctx) => {
    requireSameOrigin(ctx, headers);
    const token = readSessionCookie(headers);
    if (token !== undefined) await logOut(ctx, token);
    return { status: 204, headers: noSessionCookie(ctx) };
  },
});
