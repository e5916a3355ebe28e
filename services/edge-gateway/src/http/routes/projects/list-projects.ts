import { listProjectsQuery, listProjectsResponse } from '@tollgate/api/identity';
import { nextCursor } from '@tollgate/api/values';
import { listProjects as readProjects } from '../../../store/projects.js';
import { defineRoute } from '../../exchange/route.js';
import { projectJson, roleJson } from './project-json.js';

export const listProjects = defineRoute({
  method: 'GET',
  path: '/projects',
  tag: 'Projects',
  summary: 'List your projects: the account’s, then those of which you are a member; oldest first',
  operationId: 'listProjects',
  description: 'Each has your role in it.',
  auth: ['owner'],
  query: listProjectsQuery,
  success: { status: 200, schema: listProjectsResponse },
  handler: async ({ query: { limit, offset }, principal }, ctx) => {
    const found = await readProjects(ctx.pool, principal, { limit: limit + 1, offset });
    const page = found.slice(0, limit);
    return {
      body: {
        projects: page.map((project) => ({ ...projectJson(project), ...roleJson(project.role) })),
        ...nextCursor(offset, page.length, found.length > limit),
      },
    };
  },
});
