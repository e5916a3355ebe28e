import { randomUUID } from 'node:crypto';
import {
  createProjectBody,
  listPermissions,
  listProjectsQuery,
  listProjectsResponse,
  type ProjectRecord,
  projectResponse,
  type Role,
  type UpdateProjectBody,
  updateProjectBody,
} from '@tollgate/api/identity';
import { nextCursor } from '@tollgate/api/values';
import { AppError } from '@tollgate/errors';
import { z } from 'zod';
import { requireRole } from '../../../auth/project-scope.js';
import { deleteProject as hideProject } from '../../../operations/delete-project.js';
import {
  findProject,
  insertProject,
  type Project,
  type ProjectChange,
  listProjects as readProjects,
  updateProjectRow,
} from '../../../store/projects.js';
import { defineRoute } from '../../exchange/route.js';

/** Text that is not a UUID gets the same 404 as a foreign project. */
const projectParams = z.object({ id: z.string() });

const uuid = z.guid().toLowerCase();

/** @throws AppError NOT_FOUND */
function requireProjectId(params: z.output<typeof projectParams>): string {
  const id = uuid.safeParse(params.id);
  if (!id.success) throw new AppError('NOT_FOUND', 'project not found');
  return id.data;
}

export const createProject = defineRoute({
  method: 'POST',
  path: '/projects',
  tag: 'Projects',
  summary: 'Create a project',
  operationId: 'createProject',
  description: 'A project has its own customers, tiers, keys, agents and webhooks.',
  auth: ['owner'],
  body: createProjectBody,
  success: { status: 201, schema: projectResponse },
  audit: 'project.created',
  idempotent: true,
  handler: async ({ body, principal }, ctx) => {
    const project = await insertProject(ctx.pool, {
      id: randomUUID(),
      accountId: principal.accountId,
      ownerId: principal.userId,
      name: body.name,
      description: body.description ?? null,
      billingMode: body.billing_mode,
      markupPercentage: body.markup_percentage,
      publishableClaims: body.publishable_claims,
      responseCache: body.response_cache,
      responseStorage: body.response_storage,
      unsupportedParameters: body.unsupported_parameters,
      mcpForCustomers: body.mcp_for_customers,
      portalColor: body.portal_color ?? null,
      portalOrigins: body.portal_origins,
      createdAt: ctx.clock.now(),
    });
    return { body: { project: projectJson(project) } };
  },
});

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

export function projectJson(project: Project): ProjectRecord {
  return {
    id: project.id,
    owner_id: project.ownerId,
    name: project.name,
    ...(project.description !== null && { description: project.description }),
    billing_mode: project.billingMode,
    markup_percentage: project.markupPercentage,
    publishable_claims: project.publishableClaims,
    response_cache: project.responseCache,
    response_storage: project.responseStorage,
    unsupported_parameters: project.unsupportedParameters,
    mcp_for_customers: project.mcpForCustomers,
    ...(project.portalColor !== null && { portal_color: project.portalColor }),
    portal_origins: project.portalOrigins,
    created_at: project.createdAt.toISOString(),
    updated_at: project.updatedAt.toISOString(),
  };
}

/** The role of the user who asks, and what it permits. */
function roleJson(role: Role): Pick<ProjectRecord, 'role' | 'permissions'> {
  return { role, permissions: listPermissions(role) };
}
