import {
  type InvitationRecord,
  type MemberRecord,
  memberListQuery,
  memberListResponse,
  memberResponse,
  updateMemberBody,
} from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { isUuid } from '@tollgate/runtime/uuid';
import { z } from 'zod';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import {
  changeMemberRole,
  leaveProject as leave,
  removeMember as remove,
} from '../../../operations/members/change-member.js';
import type { Invitation } from '../../../store/members/invitations.js';
import { type Member, listMembers as readMembers } from '../../../store/members/members.js';
import { defineRoute } from '../../exchange/route.js';
import { requirePlace } from '../require-place.js';

export const projectParams = z.object({ id: z.string() });
const memberParams = z.object({ id: z.string(), user_id: z.string() });
export const invitationParams = z.object({ id: z.string(), invitation_id: z.string() });

/** @throws AppError NOT_FOUND for text that cannot be the id of the thing */
export function requireId(text: string, thing: 'member' | 'invitation'): string {
  if (isUuid(text)) return text.toLowerCase();
  throw new AppError('NOT_FOUND', `${thing} not found`);
}

export const listMembers = defineRoute({
  method: 'GET',
  path: '/projects/:id/members',
  tag: 'Members',
  summary: "List a project's members and their roles, the first to join first",
  operationId: 'listMembers',
  description: 'The users of the project’s own account are always its owners.',
  auth: ['owner'],
  params: projectParams,
  query: memberListQuery,
  success: { status: 200, schema: memberListResponse },
  handler: async ({ query: { limit, cursor }, principal }, ctx) => {
    const after = cursor === undefined ? undefined : requirePlace(cursor);
    const found = await readMembers(ctx.pool, principal.projectId, { limit: limit + 1, after });
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const next = last && found.length > limit ? { next_cursor: toCursor({ at: last.joinedAt, id: last.userId }) } : {};
    return { body: { members: shown.map(memberJson), ...next } };
  },
});

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

export const removeMember = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/members/:user_id',
  tag: 'Members',
  summary: 'Remove a member; every edge refuses it within five seconds',
  operationId: 'removeMember',
  description:
    'Keys that the member has seen keep working: rotate them. Only owners remove owners. The owner whose account owns the project cannot be removed.',
  auth: ['owner'],
  params: memberParams,
  success: { status: 204 },
  refusals: [409],
  audit: 'member.removed',
  handler: async ({ params, principal }, ctx) => {
    const userId = requireId(params.user_id, 'member');
    await remove(ctx, { projectId: principal.projectId, userId, actorId: principal.userId });
    return { status: 204 };
  },
});

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

function memberJson(member: Member): MemberRecord {
  return {
    user_id: member.userId,
    email: member.email,
    role: member.role,
    account_owner: member.isAccountOwner,
    joined_at: member.joinedAt.toISOString(),
  };
}

export function invitationJson(invitation: Invitation, url?: string): InvitationRecord {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    invited_by: invitation.invitedBy,
    created_at: invitation.createdAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
    ...(url !== undefined && { url }),
  };
}
