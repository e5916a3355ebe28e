import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import { z } from 'zod';
import { revokeSignIn } from '../../../../operations/tokens/revoke.js';
import { defineRoute } from '../../../exchange/route.js';

export const endMySignIn = defineRoute({
  method: 'DELETE',
  path: '/auth/sign-ins/:id',
  tag: 'Authentication',
  summary: 'End one of your sign-ins',
  operationId: 'endMySignIn',
  description: 'Its refresh token is void at once, and its access token is refused on every edge within five seconds.',
  auth: ['owner'],
  params: z.object({ id: z.string() }),
  success: { status: 204 },
  refusals: [404],
  audit: 'session.ended',
  handler: async ({ params, principal: { userId } }, ctx) => {
    const id = params.id.toLowerCase();
    if (!isUuid(id) || !(await revokeSignIn(ctx, id, userId))) throw new AppError('NOT_FOUND', 'sign-in not found');
    return { status: 204 };
  },
});
