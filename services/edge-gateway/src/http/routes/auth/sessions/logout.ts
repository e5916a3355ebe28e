import { refreshBody } from '@tollgate/api/identity';
import { logOut } from '../../../../operations/tokens/log-out.js';
import { defineRoute } from '../../../exchange/route.js';

export const logout = defineRoute({
  method: 'POST',
  path: '/auth/logout',
  tag: 'Authentication',
  summary: 'End the session of a refresh token',
  operationId: 'logout',
  description: 'The tokens of the session are refused within five seconds.',
  auth: 'none',
  body: refreshBody,
  success: { status: 204 },
  handler: async ({ body }, ctx) => {
    await logOut(ctx, body.refresh_token);
    return { status: 204 };
  },
});
