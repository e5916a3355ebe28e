import { listSqlProfilesQuery, listSqlProfilesResponse } from '@tollgate/api/state';
import { nextCursor } from '@tollgate/api/values';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { projectParams } from './params.js';
import { profileJson } from './render.js';

export const listSqlProfiles = defineRoute({
  method: 'GET',
  path: '/projects/:id/sql-profiles',
  tag: 'SQL',
  summary: 'List SQL profiles, oldest first',
  operationId: 'listSqlProfiles',
  description: 'Returns the policies of the project.',
  auth: ['secret_key', 'owner'],
  params: projectParams,
  query: listSqlProfilesQuery,
  success: { status: 200, schema: listSqlProfilesResponse },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { limit, offset } = input.query;
    const page = await ctx.clients.sql.listSqlProfiles({ limit, offset }, input.call.with({ principal }));
    const profiles = page.profiles.map(profileJson);
    return { body: { profiles, ...nextCursor(offset, profiles.length, page.hasMore) } };
  },
});
