import { deleteProject as hideProject } from '../../../operations/delete-project.js';
import { defineRoute } from '../../exchange/route.js';
import { projectParams, requireProjectId } from './params.js';

export const deleteProject = defineRoute({
  method: 'DELETE',
  path: '/projects/:id',
  tag: 'Projects',
  summary:
    'Delete a project; its keys, customer tokens and open checkouts end, its webhooks and tool hooks are deleted; 409 while its customers have running subscriptions',
  operationId: 'deleteProject',
  description: 'This cannot be undone.',
  auth: ['owner'],
  params: projectParams,
  success: { status: 204 },
  refusals: [409],
  audit: 'project.deleted',
  handler: async ({ params, principal, call }, ctx) => {
    await hideProject(ctx, principal, requireProjectId(params), call);
    return { status: 204 };
  },
});
