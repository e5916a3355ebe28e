import { oauthStartQuery } from '@tollgate/api/identity';
import { enforceSignInLimit } from '../../../exchange/rate-limit.js';
import { defineRoute } from '../../../exchange/route.js';
import { leadToProvider, requireProvider, requireReturn } from './oauth-parts.js';

/** The target of `POST /auth/oauth/start`. Sets the browser's id, to which the sign-in is bound. */
export const authorizeOAuth = defineRoute({
  method: 'GET',
  path: '/auth/oauth/authorize',
  tag: 'Authentication',
  summary: 'Redirect a browser to GitHub or Google; called by browsers only',
  operationId: 'authorizeOAuth',
  description: 'Sets a cookie that binds the sign-in to the browser, and redirects to the provider.',
  auth: 'none',
  query: oauthStartQuery,
  success: { status: 303 },
  handler: async ({ query, headers, address }, ctx) => {
    await enforceSignInLimit('oauth', address, undefined, ctx);
    const { provider, return_to: returnTo, handoff_nonce: handoffNonce } = query;
    requireProvider(ctx, provider);
    requireReturn(ctx, returnTo);
    return leadToProvider(ctx, headers, { provider, returnTo, handoffNonce });
  },
});
