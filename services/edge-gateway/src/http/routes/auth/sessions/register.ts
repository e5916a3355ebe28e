import { type AuthResponse, authResponseSchema, registerBody } from '@tollgate/api/identity';
import { emailKey } from '../../../../domain/email.js';
import { enforceSignInLimit } from '../../../../limits/rate-limit.js';
import { registerOwner } from '../../../../operations/sign-in/register-owner.js';
import { welcomeOwner } from '../../../../operations/sign-in/welcome-owner.js';
import { startSession } from '../../../../operations/tokens/start-session.js';
import { defineRoute } from '../../../exchange/route.js';
import { apiKeyJson } from '../../api-keys/api-key-json.js';
import { projectJson } from '../../projects/project-json.js';
import { authResponseJson } from '../auth-json.js';
import { readBrowser } from '../browser-cookie.js';

export const register = defineRoute({
  method: 'POST',
  path: '/auth/register',
  tag: 'Authentication',
  summary: 'Create an account with a first project and its first secret key',
  operationId: 'register',
  description:
    'The answer has the session’s tokens and, only this once, the value of the first secret key. Attempts are limited per email and per address.',
  auth: 'none',
  body: registerBody,
  success: { status: 201, schema: authResponseSchema },
  refusals: [409],
  handler: async ({ body, address, headers, call: { requestId } }, ctx) => {
    await enforceSignInLimit('register', address, emailKey(body.email), ctx);
    const { email, password, billing_provider: billingProvider } = body;
    const { user, project, issued } = await registerOwner(ctx, { email, password, billingProvider });
    const browser = readBrowser(ctx, headers);
    await welcomeOwner(ctx, user, { address, browserId: browser.id }, requestId);
    const answer: AuthResponse = {
      ...authResponseJson(await startSession(ctx, user.id, project.id), user, project.id),
      signup_project: {
        project: projectJson(project),
        issued_key: apiKeyJson(issued.key, ctx.config.keyPrefix, { secret: issued.secret }),
      },
    };
    return { body: answer, headers: { 'Set-Cookie': browser.cookie } };
  },
});
