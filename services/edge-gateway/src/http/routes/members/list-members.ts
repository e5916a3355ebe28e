import { memberListQuery, memberListResponse } from '@tollgate/api/identity';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { listMembers as readMembers } from '../../../store/members/members.js';
import { defineRoute } from '../../exchange/route.js';
import { requirePlace } from '../require-place.js';
import { memberJson } from './member-json.js';
import { projectParams } from './params.js';

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
