import { invitationCodeBody, invitationPreviewResponse } from '@tollgate/api/identity';
import { enforceSignInLimit } from '../../../limits/rate-limit.js';
import { readInvitation } from '../../../operations/members/accept-invitation.js';
import { defineRoute } from '../../exchange/route.js';

export const previewInvitation = defineRoute({
  method: 'POST',
  path: '/invitations/preview',
  tag: 'Members',
  summary: 'Show what the link of an invitation is for',
  operationId: 'previewInvitation',
  description:
    'For a page that asks the user to sign in or up with the address. Attempts are limited per network address.',
  auth: 'none',
  body: invitationCodeBody,
  success: { status: 200, schema: invitationPreviewResponse },
  refusals: [404],
  handler: async ({ body, address }, ctx) => {
    await enforceSignInLimit('invitation', address, undefined, ctx);
    const { projectName, email, role, expiresAt } = await readInvitation(ctx, body.code);
    return {
      body: { project: { name: projectName }, email, role, expires_at: expiresAt.toISOString() },
      headers: { 'Cache-Control': 'no-store' },
    };
  },
});
