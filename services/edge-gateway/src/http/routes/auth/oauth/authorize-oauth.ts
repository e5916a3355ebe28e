import { oauthStartQuery } from '@tollgate/api/identity';
import { toConsolePath } from '../../../../domain/return-to.js';
import { enforceSignInLimit } from '../../../../limits/rate-limit.js';
import { defineRoute } from '../../../exchange/route.js';
import { requireSameOrigin } from '../browser-session/require-same-origin.js';
import { leadToProvider, requireProvider, requireReturn } from './oauth-parts.js';

/** The target of `POST /auth/oauth/start`. Sets the browser's id, to which the sign-in is bound. */
export const authorizeOAuth = defineRoute({
  method: 'GET',
  path: '/auth/oauth/authorize',
  tag: 'Authentication',
  summary: 'Redirect a browser to GitHub or Google; called by browsers only',
  operationId: 'authorizeOAuth',
  description:
    'Sets a cookie that binds the sign-in to the browser, and redirects to the provider. With a path of the console as `return_to`, the session goes into a cookie of this browser, as `PUT /auth/browser-session` does; pages of other origins cannot start that.',
  auth: 'none',
  query: oauthStartQuery,
  success: { status: 303 },
  refusals: [403],
  handler: async ({ query, headers, address }, ctx) => {
    await enforceSignInLimit('oauth', address, undefined, ctx);
    const { provider, return_to: given, handoff_nonce: handoffNonce } = query;
    requireProvider(ctx, provider);
    const consolePath = given === undefined ? undefined : toConsolePath(given);
    if (consolePath === undefined) requireReturn(ctx, given);
    else requireSameOrigin(ctx, headers);
    const returnTo = consolePath ?? given;
    return leadToProvider(ctx, headers, { provider, returnTo, handoffNonce });
  },
});
