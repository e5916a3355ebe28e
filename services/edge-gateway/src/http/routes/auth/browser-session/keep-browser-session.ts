import { browserSessionSchema, keepBrowserSessionBody } from '@tollgate/api/identity';
import { refuseSecret } from '../../../../limits/rate-limit.js';
import { refreshSession } from '../../../../operations/tokens/refresh-session.js';
import { defineRoute } from '../../../exchange/route.js';
import { browserSessionJson } from '../auth-json.js';
import { requireSameOrigin } from './require-same-origin.js';
import { sessionCookie } from './session-cookie.js';

/** The token that the page sends is used up, so that the only valid one is in the cookie, where scripts cannot read it. */
export const keepBrowserSession = defineRoute({
  method: 'PUT',
  path: '/auth/browser-session',
  tag: 'Authentication',
  summary: 'Move a session into a cookie of this browser that scripts cannot read',
  operationId: 'keepBrowserSession',
  description:
    'Exchanges the refresh token of a sign-in for a new one, which the browser gets as a cookie that scripts cannot read and other sites do not send. Rejects pages of other origins.',
  auth: 'none',
  body: keepBrowserSessionBody,
  success: { status: 200, schema: browserSessionSchema },
  refusals: [401, 403],
  handler: async ({ body, headers, address, call: { requestId } }, ctx) => {
    requireSameOrigin(ctx, headers);
    const tokens = await refreshSession(ctx, body.refresh_token, { address, requestId });
    if (!tokens) return refuseSecret('refresh', address, 'invalid refresh token', ctx);
    return { body: browserSessionJson(tokens), headers: sessionCookie(ctx, tokens.refreshToken) };
  },
});
