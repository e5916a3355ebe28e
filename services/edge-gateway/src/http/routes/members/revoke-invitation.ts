import { revokeInvitation as revoke } from '../../../operations/members/invite-member.js';
import { defineRoute } from '../../exchange/route.js';
import { invitationParams, requireId } from './params.js';

export const revokeInvitation = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/invitations/:invitation_id',
  tag: 'Members',
  summary: 'Revoke an invitation; its links end',
  operationId: 'revokeInvitation',
  description:
    'A member who has accepted it stays; remove the member instead. Only owners revoke invitations of owners.',
  auth: ['owner'],
  params: invitationParams,
  success: { status: 204 },
  audit: 'member.invitation_revoked',
  handler: async ({ params, principal }, ctx) => {
    const { projectId, userId: actorId } = principal;
    await revoke(ctx, { projectId, actorId, id: requireId(params.invitation_id, 'invitation') });
    return { status: 204 };
  },
});
