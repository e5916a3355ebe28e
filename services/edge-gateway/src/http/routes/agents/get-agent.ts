import { agentResponse, getAgentQuery } from '@tollgate/api/runs';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { agentParams } from './params.js';
import { snapshotJson } from './render.js';

export const getAgent = defineRoute({
  method: 'GET',
  path: '/projects/:id/agents/:slug',
  tag: 'Agents',
  summary: 'Get an agent with its current or a named revision',
  operationId: 'getAgent',
  description: '`revision` selects an earlier configuration.',
  auth: ['secret_key', 'owner'],
  params: agentParams,
  query: getAgentQuery,
  success: { status: 200, schema: agentResponse },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { revision } = input.query;
    const request = { slug: input.params.slug, ...(revision !== undefined && { revision }) };
    const { snapshot } = await ctx.clients.agents.getAgent(request, input.call.with({ principal }));
    return { body: { agent: snapshotJson(snapshot) } };
  },
});
