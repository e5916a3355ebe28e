import { listProjectsQuery, listProjectsResponse } from '@tollgate/api/identity';
import { nextCursor } from '@tollgate/api/values';
import { listProjects as readProjects } from '../../../store/projects.js';
import { defineRoute } from '../../exchange/route.js';
import { projectJson } from './project-json.js';

export const listProjects = defineRoute({
  method: 'GET',
  path: '/projects',
  tag: 'Projects',
  summary: 'List the account’s projects, oldest first',
  operationId: 'listProjects',
  description: 'Returns the projects of the owner account.',
  auth: ['owner'],
  query: listProjectsQuery,
  success: { status: 200, schema: listProjectsResponse },
  handler: async ({ query: { limit, offset }, principal }, ctx) => {
    const found = await readProjects(ctx.pool, principal.accountId, { limit: limit + 1, offset });
    const page = found.slice(0, limit);
    return { body: { projects: page.map(projectJson), ...nextCursor(offset, page.length, found.length > limit) } };
  },
});
