import { invitationResponse } from '@tollgate/api/identity';
import { enforceSignInLimit } from '../../../limits/rate-limit.js';
import { resendInvitation as resend } from '../../../operations/members/invite-member.js';
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
  handler: async ({ params, principal, headers, address }, ctx) => {
    await enforceSignInLimit('invitation', address, undefined, ctx);
    const base = publicBaseUrl(ctx, headers);
    const id = requireId(params.invitation_id, 'invitation');
    const { projectId, userId: actorId } = principal;
    const { invitation, code } = await resend(ctx, { projectId, actorId, id }, base);
    return {
      body: { invitation: invitationJson(invitation, `${base}/console/invitation#${code}`) },
      headers: { 'Cache-Control': 'no-store' },
    };
  },
});
