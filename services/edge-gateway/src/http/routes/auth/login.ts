import { authResponseSchema, loginBody } from '@tollgate/api';
import { AppError } from '@tollgate/errors';
import { emailKey } from '../../../domain/email.js';
import { logIn } from '../../../operations/log-in.js';
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
  handler: async ({ body, address }, ctx) => {
    await enforceSignInLimit('login', address, emailKey(body.email), ctx);
    const user = await logIn(ctx, body.email, body.password);
    const owner = user && (await ctx.directory.owner(user.id));
    if (!user || !owner) throw new AppError('UNAUTHORIZED', 'wrong email or password');
    const { projectId } = owner.project;
    return { body: authResponseJson(await startSession(ctx, user.id, projectId), user, projectId) };
  },
});
