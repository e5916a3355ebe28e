import { listAgentsQuery, listAgentsResponse } from '@tollgate/api/runs';
import { nextCursor } from '@tollgate/api/values';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { projectParams } from './params.js';
import { snapshotJson } from './render.js';

export const listAgents = defineRoute({
  method: 'GET',
  path: '/projects/:id/agents',
  tag: 'Agents',
  summary: 'List agents with their current revisions, oldest first',
  operationId: 'listAgents',
  description: 'Returns each agent with the revision that runs use now.',
  auth: ['secret_key', 'owner'],
  params: projectParams,
  query: listAgentsQuery,
  success: { status: 200, schema: listAgentsResponse },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { limit, offset } = input.query;
    const page = await ctx.clients.agents.listAgents({ limit, offset }, input.call.with({ principal }));
    const agents = page.agents.map(snapshotJson);
    return { body: { agents, ...nextCursor(offset, agents.length, page.hasMore) } };
  },
});
