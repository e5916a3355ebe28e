import { memberResponse, updateMemberBody } from '@tollgate/api/identity';
import { changeMemberRole } from '../../../operations/members/change-member.js';
import { defineRoute } from '../../exchange/route.js';
import { memberJson } from './member-json.js';
import { memberParams, requireId } from './params.js';

export const updateMember = defineRoute({
  method: 'PATCH',
  path: '/projects/:id/members/:user_id',
  tag: 'Members',
  summary: "Change a member's role; edges apply it within five seconds",
  operationId: 'updateMember',
  description: 'Only owners make and change owners. The owner whose account owns the project cannot be changed.',
  auth: ['owner'],
  params: memberParams,
  body: updateMemberBody,
  success: { status: 200, schema: memberResponse },
  refusals: [409],
  audit: 'member.updated',
  handler: async ({ params, body, principal }, ctx) => {
    const userId = requireId(params.user_id, 'member');
    const member = await changeMemberRole(
      ctx,
      { projectId: principal.projectId, userId, actorId: principal.userId },
      body.role,
    );
    return { body: { member: memberJson(member) } };
  },
});
