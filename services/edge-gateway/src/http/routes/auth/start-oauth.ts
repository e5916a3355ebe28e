import { oauthStartQuery, oauthStartResponse } from '@tollgate/api';
import { AppError } from '@tollgate/errors';
import { isAllowedReturn } from '../../../domain/return-to.js';
import { startOAuth as start } from '../../../operations/start-oauth.js';
import { publicBaseUrl } from '../../public-base-url.js';
import { enforceSignInLimit } from '../../rate-limit.js';
import { defineRoute } from '../../route.js';
import { OAUTH_CALLBACK_PATH, requireProvider } from './oauth-parts.js';

export const startOAuth = defineRoute({
  method: 'POST',
  path: '/auth/oauth/start',
  tag: 'Authentication',
  summary: 'Begin to sign in at GitHub or Google',
  auth: 'none',
  query: oauthStartQuery,
  success: { status: 200, schema: oauthStartResponse },
  refusals: [404],
  handler: async ({ query, headers, address }, ctx) => {
    await enforceSignInLimit('oauth', address, undefined, ctx);
    requireProvider(ctx, query.provider);
    const { return_to: returnTo, handoff_nonce: handoffNonce } = query;
    if (returnTo !== undefined && !isAllowedReturn(returnTo, ctx.config.oauth.returnOrigins)) {
      const message = 'must be a loopback address or an allowed origin';
      throw new AppError('VALIDATION_ERROR', `return_to: ${message}`, { fields: [{ field: 'return_to', message }] });
    }
    const redirectUri = `${publicBaseUrl(ctx, headers)}${OAUTH_CALLBACK_PATH}`;
    const url = await start(ctx, { provider: query.provider, redirectUri, returnTo, handoffNonce });
    return { body: { redirect_url: url } };
  },
});
