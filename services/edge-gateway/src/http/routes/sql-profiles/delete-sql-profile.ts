import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { profileParams } from './params.js';

export const deleteSqlProfile = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/sql-profiles/:profile_id',
  tag: 'SQL',
  summary: 'Delete a SQL profile',
  operationId: 'deleteSqlProfile',
  description: 'Requests that name the profile are refused from now on.',
  auth: ['secret_key', 'owner'],
  params: profileParams,
  success: { status: 204 },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    await ctx.clients.sql.deleteSqlProfile({ id: input.params.profile_id }, input.call.with({ principal }));
    return { status: 204 };
  },
});
