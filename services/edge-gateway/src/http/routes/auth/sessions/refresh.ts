import { authTokensSchema, refreshBody } from '@tollgate/api/identity';
import { refuseSecret } from '../../../../limits/rate-limit.js';
import { refreshSession } from '../../../../operations/tokens/refresh-session.js';
import { defineRoute } from '../../../exchange/route.js';
import { tokensJson } from '../auth-json.js';

export const refresh = defineRoute({
  method: 'POST',
  path: '/auth/refresh',
  tag: 'Authentication',
  summary: 'Exchange a refresh token for a new pair, once',
  operationId: 'refreshSession',
  description: 'Each refresh token works once. Its second use ends the session, because it may have been stolen.',
  auth: 'none',
  body: refreshBody,
  success: { status: 200, schema: authTokensSchema },
  refusals: [401],
  handler: async ({ body, address, call: { requestId } }, ctx) => {
    const tokens = await refreshSession(ctx, body.refresh_token, { address, requestId });
    if (!tokens) return refuseSecret('refresh', address, 'invalid refresh token', ctx);
    return { body: tokensJson(tokens) };
  },
});
