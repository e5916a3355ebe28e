import { invitationListResponse, memberListQuery } from '@tollgate/api/identity';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { listInvitations as readInvitations } from '../../../store/members/invitations.js';
import { defineRoute } from '../../exchange/route.js';
import { requirePlace } from '../require-place.js';
import { invitationJson } from './member-json.js';
import { projectParams } from './params.js';

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
