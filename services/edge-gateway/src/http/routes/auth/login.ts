import { authResponseSchema, loginBody } from '@tollgate/api';
import { AppError } from '@tollgate/errors';
import { emailKey } from '../../../domain/email.js';
import { logIn } from '../../../operations/log-in.js';
import { recordAudit, signedIn } from '../../../operations/record-audit.js';
import { startSession } from '../../../operations/start-session.js';
import { enforceSignInLimit } from '../../rate-limit.js';
import { defineRoute } from '../../route.js';
import { authResponseJson } from './auth-json.js';

export const login = defineRoute({
  method: 'POST',
  path: '/auth/login',
  tag: 'Authentication',
  summary: 'Sign in with e-mail and password',
  auth: 'none',
  body: loginBody,
  success: { status: 200, schema: authResponseSchema },
  refusals: [401],
  handler: async ({ body, address, call: { requestId } }, ctx) => {
    await enforceSignInLimit('login', address, emailKey(body.email), ctx);
    const user = await logIn(ctx, { ...body, address, requestId });
    const owner = user && (await ctx.directory.owner(user.id));
    if (!user || !owner) throw new AppError('UNAUTHORIZED', 'wrong email or password');
    const { projectId } = owner.project;
    await recordAudit(ctx, signedIn(user, address, requestId));
    return { body: authResponseJson(await startSession(ctx, user.id, projectId), user, projectId) };
  },
});
