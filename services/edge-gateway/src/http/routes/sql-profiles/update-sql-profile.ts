import { sqlProfileResponse, updateSqlProfileBody } from '@tollgate/api/state';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { profileParams } from './params.js';
import { profileJson } from './render.js';

export const updateSqlProfile = defineRoute({
  method: 'PUT',
  path: '/projects/:id/sql-profiles/:profile_id',
  tag: 'SQL',
  summary: 'Update a SQL profile; omitted fields keep their values, a policy is replaced as a whole',
  operationId: 'updateSqlProfile',
  description: 'Statements are judged by the new policy from now on.',
  auth: ['secret_key', 'owner'],
  params: profileParams,
  body: updateSqlProfileBody,
  success: { status: 200, schema: sqlProfileResponse },
  async handler(input, ctx) {
    const { name = '', policy } = input.body;
    const principal = await requireProject(ctx, input, input.params.id);
    const request = { id: input.params.profile_id, name, policyJson: policy ? JSON.stringify(policy) : '' };
    const { profile } = await ctx.clients.sql.updateSqlProfile(request, input.call.with({ principal }));
    return { body: { profile: profileJson(profile) } };
  },
});
