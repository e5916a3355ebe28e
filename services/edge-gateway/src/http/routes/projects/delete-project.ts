import { deleteProject as hideProject } from '../../../operations/delete-project.js';
import { defineRoute } from '../../route.js';
import { projectIdOf, projectParams } from './params.js';

export const deleteProject = defineRoute({
  method: 'DELETE',
  path: '/projects/:id',
  tag: 'Projects',
  summary: 'Delete a project; its keys and customer tokens end',
  auth: ['owner'],
  params: projectParams,
  success: { status: 204 },
  refusals: [409],
  audit: 'project.deleted',
  handler: async ({ params, principal }, ctx) => {
    await hideProject(ctx, principal, projectIdOf(params));
    return { status: 204 };
  },
});
