import { removeMember as remove } from '../../../operations/members/change-member.js';
import { defineRoute } from '../../exchange/route.js';
import { memberParams, requireId } from './params.js';

export const removeMember = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/members/:user_id',
  tag: 'Members',
  summary: 'Remove a member; every edge refuses it within five seconds',
  operationId: 'removeMember',
  description:
    'Keys that the member has seen keep working: rotate them. Only owners remove owners. The owner whose account owns the project cannot be removed.',
  auth: ['owner'],
  params: memberParams,
  success: { status: 204 },
  refusals: [409],
  audit: 'member.removed',
  handler: async ({ params, principal }, ctx) => {
    const userId = requireId(params.user_id, 'member');
    await remove(ctx, { projectId: principal.projectId, userId, actorId: principal.userId });
    return { status: 204 };
  },
});
