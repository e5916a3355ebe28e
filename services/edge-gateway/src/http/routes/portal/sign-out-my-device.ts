import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import { z } from 'zod';
import { revokeCustomerSession } from '../../../operations/tokens/revoke.js';
import { defineRoute } from '../../exchange/route.js';

export const signOutMyDevice = defineRoute({
  method: 'DELETE',
  path: '/customers/me/devices/:id',
  tag: 'Customer self-service',
  summary: 'Sign one of your devices out',
  operationId: 'signOutMyDevice',
  description: 'Its token is refused on every edge within five seconds.',
  auth: ['customer'],
  params: z.object({ id: z.string() }),
  success: { status: 204 },
  audit: 'customer.signed_out',
  handler: async ({ params, principal: { projectId, customerId } }, ctx) => {
    const id = params.id.toLowerCase();
    if (!isUuid(id) || !(await revokeCustomerSession(ctx, { id, projectId, customerId }))) {
      throw new AppError('NOT_FOUND', 'device not found');
    }
    return { status: 204 };
  },
});
