import { leaveProject as leave } from '../../../operations/members/change-member.js';
import { defineRoute } from '../../exchange/route.js';
import { projectParams } from './params.js';

export const leaveProject = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/membership',
  tag: 'Members',
  summary: 'End your own membership of a project',
  operationId: 'leaveProject',
  description: 'The owner whose account owns the project cannot leave it.',
  auth: ['owner'],
  params: projectParams,
  success: { status: 204 },
  refusals: [409],
  audit: 'member.left',
  handler: async ({ principal: { projectId, userId } }, ctx) => {
    await leave(ctx, projectId, userId);
    return { status: 204 };
  },
});
