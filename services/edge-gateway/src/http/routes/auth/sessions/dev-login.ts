import { authResponseSchema } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { emailKey } from '../../../../domain/email.js';
import { startSession } from '../../../../operations/tokens/start-session.js';
import { findUserByEmailKey } from '../../../../store/users.js';
import { defineRoute } from '../../../exchange/route.js';
import { requireLocalPage } from '../../../server/local-page.js';
import { authResponseJson } from '../auth-json.js';

export const devLogin = defineRoute({
  method: 'POST',
  path: '/auth/dev-login',
  tag: 'Authentication',
  summary: 'Sign in as the demo owner; only with DEV_MODE=1',
  operationId: 'devLogin',
  description:
    'For local development: it does not exist in other installations. It answers at localhost or a loopback address only, and to no page of another origin.',
  auth: 'none',
  success: { status: 200, schema: authResponseSchema },
  refusals: [403, 404],
  handler: async ({ headers }, ctx) => {
    if (!ctx.config.devMode) throw new AppError('NOT_FOUND', 'no such endpoint');
    requireLocalPage(headers);
    const user = await findUserByEmailKey(ctx.pool, emailKey(ctx.config.devOwnerEmail));
    const owner = user && (await ctx.directory.owner(user.id));
    if (!user || !owner) throw new AppError('NOT_FOUND', 'there is no demo owner');
    const { projectId } = owner.project;
    return { body: authResponseJson(await startSession(ctx, user.id, projectId), user, projectId) };
  },
});
