import { projectResponse, type UpdateProjectBody, updateProjectBody } from '@tollgate/api/identity';
import { AppError } from '@tollgate/errors';
import { findProject, type ProjectChange, updateProjectRow } from '../../../store/projects.js';
import { defineRoute } from '../../exchange/route.js';
import { projectParams, requireProjectId } from './params.js';
import { projectJson } from './project-json.js';

export const updateProject = defineRoute({
  method: 'PUT',
  path: '/projects/:id',
  tag: 'Projects',
  summary: 'Update a project; omitted fields keep their values',
  operationId: 'updateProject',
  description: 'Changes the settings of a project.',
  auth: ['owner'],
  params: projectParams,
  body: updateProjectBody,
  success: { status: 200, schema: projectResponse },
  audit: 'project.updated',
  handler: async ({ params, body, principal }, ctx) => {
    const id = requireProjectId(params);
    await updateProjectRow(ctx.pool, principal.accountId, id, toProjectChange(body), ctx.clock.now());
    ctx.directory.forgetProject(id);
    ctx.directory.forgetOwner(principal.userId);
    const project = await findProject(ctx.pool, principal.accountId, id);
    if (!project) throw new AppError('NOT_FOUND', 'project not found');
    return { body: { project: projectJson(project) } };
  },
});

function toProjectChange(body: UpdateProjectBody): ProjectChange {
  return {
    ...(body.name !== undefined && { name: body.name }),
    ...(body.description !== undefined && { description: body.description }),
    ...(body.billing_mode !== undefined && { billingMode: body.billing_mode }),
    ...(body.markup_percentage !== undefined && { markupPercentage: body.markup_percentage }),
    ...(body.publishable_claims !== undefined && { publishableClaims: body.publishable_claims }),
    ...(body.response_cache !== undefined && { responseCache: body.response_cache }),
    ...(body.response_storage !== undefined && { responseStorage: body.response_storage }),
    ...(body.unsupported_parameters !== undefined && { unsupportedParameters: body.unsupported_parameters }),
    ...(body.mcp_for_customers !== undefined && { mcpForCustomers: body.mcp_for_customers }),
    ...(body.portal_color !== undefined && { portalColor: body.portal_color }),
    ...(body.portal_origins !== undefined && { portalOrigins: body.portal_origins }),
  };
}
