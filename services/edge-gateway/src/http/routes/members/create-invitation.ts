import { createInvitationBody, invitationResponse } from '@tollgate/api/identity';
import { emailKey } from '../../../domain/email.js';
import { enforceSignInLimit } from '../../../limits/rate-limit.js';
import { inviteMember } from '../../../operations/members/invite-member.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute } from '../../exchange/route.js';
import { invitationJson } from './member-json.js';
import { projectParams } from './params.js';

export const createInvitation = defineRoute({
  method: 'POST',
  path: '/projects/:id/invitations',
  tag: 'Members',
  summary: 'Invite an address to the project in a role',
  operationId: 'createInvitation',
  description:
    'The invitation can be accepted for seven days by the user of the address; only this answer has its `url`. Admins cannot invite owners. One address gets at most five such emails a day, from all projects; the `url` works without one.',
  auth: ['owner'],
  params: projectParams,
  body: createInvitationBody,
  success: { status: 201, schema: invitationResponse },
  refusals: [409],
  audit: 'member.invited',
  handler: async ({ body: { email, role }, principal, headers, address }, ctx) => {
    await enforceSignInLimit('invitation', address, emailKey(email), ctx);
    const base = publicBaseUrl(ctx, headers);
    const { projectId, userId: invitedBy } = principal;
    const { invitation, code } = await inviteMember(ctx, { projectId, invitedBy, email, role }, base);
    return {
      body: { invitation: invitationJson(invitation, `${base}/console/invitation#${code}`) },
      headers: { 'Cache-Control': 'no-store' },
    };
  },
});
