import { authResponseSchema, loginBody } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { emailKey } from '../../../../domain/email.js';
import { enforceSignInLimit } from '../../../../limits/rate-limit.js';
import { recordAudit, signedIn } from '../../../../operations/record-audit.js';
import { logIn } from '../../../../operations/sign-in/log-in.js';
import { readSignInSource, rememberSignInSource } from '../../../../operations/sign-in/sign-in-source.js';
import { startSession } from '../../../../operations/tokens/start-session.js';
import { defineRoute } from '../../../exchange/route.js';
import { authResponseJson } from '../auth-json.js';
import { readBrowser } from '../browser-cookie.js';

export const login = defineRoute({
  method: 'POST',
  path: '/auth/login',
  tag: 'Authentication',
  summary: 'Sign in with email and password',
  operationId: 'login',
  description:
    'The answer has an access token and a refresh token. After ten wrong passwords in a row the source has to wait, longer each time.',
  auth: 'none',
  body: loginBody,
  success: { status: 200, schema: authResponseSchema },
  refusals: [401],
  handler: async ({ body, address, headers, call: { requestId } }, ctx) => {
    const browser = readBrowser(ctx, headers);
    const asker = { address, browserId: browser.id };
    const source = await readSignInSource(ctx, body.email, asker);
    const key = emailKey(body.email);
    // Attempts from unknown sources do not count against the limit of a known one.
    await enforceSignInLimit('login', address, source.isKnown ? `${key} ${source.name}` : key, ctx);
    const user = await logIn(ctx, { ...body, address, requestId }, source);
    const owner = user && (await ctx.directory.owner(user.id));
    if (!user || !owner) throw new AppError('UNAUTHORIZED', 'wrong email or password');
    const { projectId } = owner.project;
    const tokens = await startSession(ctx, user.id, projectId, user.passwordHash);
    await rememberSignInSource(ctx, body.email, asker, source);
    await recordAudit(ctx, signedIn(user, address, requestId));
    return { body: authResponseJson(tokens, user, projectId), headers: { 'Set-Cookie': browser.cookie } };
  },
});
