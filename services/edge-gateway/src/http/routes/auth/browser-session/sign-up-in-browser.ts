import { browserSessionSchema, signUpInBrowserBody } from '@tollgate/api/identity';
import { emailKey } from '../../../../domain/email.js';
import { enforceSignInLimit } from '../../../../limits/rate-limit.js';
import { registerOwnerInBrowser } from '../../../../operations/sign-in/register-owner.js';
import { welcomeOwner } from '../../../../operations/sign-in/welcome-owner.js';
import { startSession } from '../../../../operations/tokens/start-session.js';
import { defineRoute } from '../../../exchange/route.js';
import { browserSessionJson } from '../auth-json.js';
import { readBrowserId } from '../browser-cookie.js';
import { requireSameOrigin } from './require-same-origin.js';
import { sessionCookie } from './session-cookie.js';

/** `POST /auth/register` for the console: the answer has neither a secret key nor a refresh token. */
export const signUpInBrowser = defineRoute({
  method: 'POST',
  path: '/auth/browser-session/sign-up',
  tag: 'Authentication',
  summary: 'Create an account and sign this browser in',
  operationId: 'signUpInBrowser',
  description:
    'Creates an account with a first project and no key. The browser gets the session as a cookie that scripts cannot read. Rejects pages of other origins.',
  auth: 'none',
  body: signUpInBrowserBody,
  success: { status: 201, schema: browserSessionSchema },
  refusals: [403, 409],
  handler: async ({ body: { email, password }, address, headers, call: { requestId } }, ctx) => {
    requireSameOrigin(ctx, headers);
    await enforceSignInLimit('register', address, emailKey(email), ctx);
    const { user, project } = await registerOwnerInBrowser(ctx, { email, password });
    await welcomeOwner(ctx, user, { address, browserId: readBrowserId(headers) }, requestId);
    const tokens = await startSession(ctx, user.id, project.id);
    return { status: 201, body: browserSessionJson(tokens), headers: sessionCookie(ctx, tokens.refreshToken) };
  },
});
