import { createSqlProfileBody, sqlProfileResponse } from '@tollgate/api/state';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { projectParams } from './params.js';
import { profileJson } from './render.js';

export const createSqlProfile = defineRoute({
  method: 'POST',
  path: '/projects/:id/sql-profiles',
  tag: 'SQL',
  summary: 'Create a SQL profile, a policy for statements',
  operationId: 'createSqlProfile',
  description: 'A policy names the tables, columns and functions that statements may use, and limits their rows.',
  auth: ['secret_key', 'owner'],
  params: projectParams,
  body: createSqlProfileBody,
  success: { status: 201, schema: sqlProfileResponse },
  idempotent: true,
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const request = { name: input.body.name, policyJson: JSON.stringify(input.body.policy) };
    const { profile } = await ctx.clients.sql.createSqlProfile(request, input.call.with({ principal }));
    return { status: 201, body: { profile: profileJson(profile) } };
  },
});
