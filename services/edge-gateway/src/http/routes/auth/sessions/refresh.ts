import { authTokensSchema, refreshBody } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { refreshSession } from '../../../../operations/tokens/refresh-session.js';
import { enforceSignInLimit } from '../../../exchange/rate-limit.js';
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
    await enforceSignInLimit('refresh', address, undefined, ctx);
    const tokens = await refreshSession(ctx, body.refresh_token, { address, requestId });
    if (!tokens) throw new AppError('UNAUTHORIZED', 'invalid refresh token');
    return { body: tokensJson(tokens) };
  },
});
