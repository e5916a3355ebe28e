import { sqlProfileResponse } from '@tollgate/api/state';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { profileParams } from './params.js';
import { profileJson } from './render.js';

export const getSqlProfile = defineRoute({
  method: 'GET',
  path: '/projects/:id/sql-profiles/:profile_id',
  tag: 'SQL',
  summary: 'Get a SQL profile',
  operationId: 'getSqlProfile',
  description: 'Returns the policy.',
  auth: ['secret_key', 'owner'],
  params: profileParams,
  success: { status: 200, schema: sqlProfileResponse },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { profile } = await ctx.clients.sql.getSqlProfile(
      { id: input.params.profile_id },
      input.call.with({ principal }),
    );
    return { body: { profile: profileJson(profile) } };
  },
});
