import { acceptInvitationResponse, invitationCodeBody } from '@tollgate/api/identity';
import { enforceSignInLimit } from '../../../limits/rate-limit.js';
import { acceptInvitation as accept } from '../../../operations/members/accept-invitation.js';
import { recordAudit } from '../../../operations/record-audit.js';
import { defineRoute } from '../../exchange/route.js';

export const acceptInvitation = defineRoute({
  method: 'POST',
  path: '/invitations/accept',
  tag: 'Members',
  summary: 'Become a member of the project that an invitation is for',
  operationId: 'acceptInvitation',
  description:
    'The link works once, and only for the user of the invited address. Attempts are limited per network address.',
  auth: ['owner'],
  body: invitationCodeBody,
  success: { status: 200, schema: acceptInvitationResponse },
  refusals: [404, 409],
  handler: async ({ body, principal: { userId }, address, ids }, ctx) => {
    await enforceSignInLimit('invitation', address, undefined, ctx);
    const { accountId, projectId, projectName, role } = await accept(ctx, userId, body.code);
    await recordAudit(ctx, {
      accountId,
      projectId,
      action: 'member.joined',
      actorKind: 'user',
      actorId: userId,
      subjectId: userId,
      address,
      requestId: ids.requestId,
    });
    return { body: { project: { id: projectId, name: projectName }, role } };
  },
});
