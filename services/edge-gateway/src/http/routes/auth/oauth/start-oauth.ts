import { oauthStartQuery, oauthStartResponse } from '@tollgate/api/identity';
import { enforceSignInLimit } from '../../../../limits/rate-limit.js';
import { publicBaseUrl } from '../../../exchange/public-base-url.js';
import { defineRoute } from '../../../exchange/route.js';
import { OAUTH_AUTHORIZE_PATH, requireProvider, requireReturn } from './oauth-parts.js';

export const startOAuth = defineRoute({
  method: 'POST',
  path: '/auth/oauth/start',
  tag: 'Authentication',
  summary: 'Start a sign-in with GitHub or Google; returns the URL to open in a browser',
  operationId: 'startOAuth',
  description:
    'The URL is of this server; it redirects to the provider. The browser that opens it must also complete the sign-in.',
  auth: 'none',
  query: oauthStartQuery,
  success: { status: 200, schema: oauthStartResponse },
  handler: async ({ query, headers, address }, ctx) => {
    await enforceSignInLimit('oauth', address, undefined, ctx);
    requireProvider(ctx, query.provider);
    requireReturn(ctx, query.return_to);
    const url = new URL(`${publicBaseUrl(ctx, headers)}${OAUTH_AUTHORIZE_PATH}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    return { body: { redirect_url: url.href } };
  },
});
