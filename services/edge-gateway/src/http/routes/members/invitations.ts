import {
  acceptInvitationResponse,
  createInvitationBody,
  invitationCodeBody,
  invitationListResponse,
  invitationPreviewResponse,
  invitationResponse,
  memberListQuery,
} from '@tollgate/api/identity';
import { emailKey } from '../../../domain/email.js';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { enforceSignInLimit } from '../../../limits/rate-limit.js';
import { acceptInvitation as accept, readInvitation } from '../../../operations/members/accept-invitation.js';
import {
  inviteMember,
  resendInvitation as resend,
  revokeInvitation as revoke,
} from '../../../operations/members/invite-member.js';
import { recordAudit } from '../../../operations/record-audit.js';
import { listInvitations as readInvitations } from '../../../store/members/invitations.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute } from '../../exchange/route.js';
import { requirePlace } from '../require-place.js';
import { invitationJson, invitationParams, projectParams, requireId } from './members.js';

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

export const listInvitations = defineRoute({
  method: 'GET',
  path: '/projects/:id/invitations',
  tag: 'Members',
  summary: "List a project's open invitations, oldest first",
  operationId: 'listInvitations',
  description: 'An expired invitation stays in the list for a month, so that it can be sent again.',
  auth: ['owner'],
  params: projectParams,
  query: memberListQuery,
  success: { status: 200, schema: invitationListResponse },
  handler: async ({ query: { limit, cursor }, principal }, ctx) => {
    const after = cursor === undefined ? undefined : requirePlace(cursor);
    const found = await readInvitations(ctx.pool, principal.projectId, { limit: limit + 1, after });
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const next = last && found.length > limit ? { next_cursor: toCursor({ at: last.createdAt, id: last.id }) } : {};
    return { body: { invitations: shown.map((invitation) => invitationJson(invitation)), ...next } };
  },
});

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
