import { invitationResponse } from '@tollgate/api/identity';
import { requireAssignable } from '../../../operations/members/change-member.js';
import { resendInvitation as resend } from '../../../operations/members/invite-member.js';
import { requireRole } from '../../exchange/project-scope.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute } from '../../exchange/route.js';
import { invitationJson } from './member-json.js';
import { invitationParams, requireId } from './params.js';

export const resendInvitation = defineRoute({
  method: 'POST',
  path: '/projects/:id/invitations/:invitation_id/resend',
  tag: 'Members',
  summary: 'Send an invitation again with a new link',
  operationId: 'resendInvitation',
  description:
    'Its earlier links end, and it can be accepted for seven days from now. Only this answer has the new `url`.',
  auth: ['owner'],
  params: invitationParams,
  success: { status: 200, schema: invitationResponse },
  audit: 'member.invitation_resent',
  handler: async ({ params, principal, headers }, ctx) => {
    const actorRole = await requireRole(ctx, principal);
    const base = publicBaseUrl(ctx, headers);
    const id = requireId(params.invitation_id, 'invitation');
    const { invitation, code } = await resend(ctx, principal.projectId, id, base, (role) =>
      requireAssignable(actorRole, role),
    );
    return {
      body: { invitation: invitationJson(invitation, `${base}/console/invitation#${code}`) },
      headers: { 'Cache-Control': 'no-store' },
    };
  },
});
