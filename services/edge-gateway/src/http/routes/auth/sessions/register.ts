import { type AuthResponse, authResponseSchema, registerBody } from '@tollgate/api/identity';
import { emailKey } from '../../../../domain/email.js';
import { recordAudit, signedIn } from '../../../../operations/record-audit.js';
import { registerOwner } from '../../../../operations/sign-in/register-owner.js';
import { readSignInSource, rememberSignInSource } from '../../../../operations/sign-in/sign-in-source.js';
import { startSession } from '../../../../operations/tokens/start-session.js';
import { enforceSignInLimit } from '../../../exchange/rate-limit.js';
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
    const asker = { address, browserId: browser.id };
    await rememberSignInSource(ctx, email, asker, await readSignInSource(ctx, email, asker));
    await recordAudit(ctx, { ...signedIn(user, address, requestId), action: 'account.registered' });
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
