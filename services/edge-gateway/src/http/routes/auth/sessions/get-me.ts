import { meResponse } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { findUser } from '../../../../store/users.js';
import { defineRoute } from '../../../exchange/route.js';
import { userJson } from '../auth-json.js';

export const getMe = defineRoute({
  method: 'GET',
  path: '/auth/me',
  tag: 'Authentication',
  summary: 'Get the signed-in user',
  operationId: 'getCurrentUser',
  description: 'Returns the user of the access token.',
  auth: ['owner'],
  success: { status: 200, schema: meResponse },
  handler: async ({ principal }, ctx) => {
    const user = await findUser(ctx.pool, principal.userId);
    if (!user) throw new AppError('UNAUTHORIZED', 'invalid credentials');
    return { body: { user: userJson(user, principal.projectId) } };
  },
});
