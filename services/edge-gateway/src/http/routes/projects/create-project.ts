import { randomUUID } from 'node:crypto';
import { createProjectBody, projectResponse } from '@tollgate/api/identity';
import { insertProject } from '../../../store/projects.js';
import { defineRoute } from '../../exchange/route.js';
import { projectJson } from './project-json.js';

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
