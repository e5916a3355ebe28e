import { revokeInvitation as revoke } from '../../../operations/members/invite-member.js';
import { defineRoute } from '../../exchange/route.js';
import { invitationParams, requireId } from './params.js';

export const revokeInvitation = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/invitations/:invitation_id',
  tag: 'Members',
  summary: 'Revoke an invitation; its links end',
  operationId: 'revokeInvitation',
  description: 'A member who has accepted it stays; remove the member instead.',
  auth: ['owner'],
  params: invitationParams,
  success: { status: 204 },
  audit: 'member.invitation_revoked',
  handler: async ({ params, principal }, ctx) => {
    await revoke(ctx, principal.projectId, requireId(params.invitation_id, 'invitation'));
    return { status: 204 };
  },
});
