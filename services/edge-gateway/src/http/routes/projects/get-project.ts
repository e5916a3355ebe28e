import { projectResponse } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { requireRole } from '../../../auth/project-scope.js';
import { findProject } from '../../../store/projects.js';
import { defineRoute } from '../../exchange/route.js';
import { projectParams, requireProjectId } from './params.js';
import { projectJson, roleJson } from './project-json.js';

export const getProject = defineRoute({
  method: 'GET',
  path: '/projects/:id',
  tag: 'Projects',
  summary: 'Get a project',
  operationId: 'getProject',
  description: 'Returns the settings of a project.',
  auth: ['owner'],
  params: projectParams,
  success: { status: 200, schema: projectResponse },
  handler: async ({ params, principal }, ctx) => {
    const project = await findProject(ctx.pool, principal.accountId, requireProjectId(params));
    if (!project) throw new AppError('NOT_FOUND', 'project not found');
    const role = await requireRole(ctx, principal);
    return { body: { project: { ...projectJson(project), ...roleJson(role) } } };
  },
});
