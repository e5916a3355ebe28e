import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { agentParams } from './params.js';

export const deleteAgent = defineRoute({
  method: 'DELETE',
  path: '/projects/:id/agents/:slug',
  tag: 'Agents',
  summary: 'Delete an agent; runs that have pinned a revision continue',
  operationId: 'deleteAgent',
  description: 'New runs of the agent are refused from now on.',
  auth: ['secret_key', 'owner'],
  params: agentParams,
  success: { status: 204 },
  audit: 'agent.deleted',
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    await ctx.clients.agents.deleteAgent({ slug: input.params.slug }, input.call.with({ principal }));
    return { status: 204 };
  },
});
