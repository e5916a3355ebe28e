import { listAgentVersionsQuery, listAgentVersionsResponse } from '@tollgate/api/runs';
import { nextCursor } from '@tollgate/api/values';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { agentParams } from './params.js';
import { versionJson } from './render.js';

export const listAgentVersions = defineRoute({
  method: 'GET',
  path: '/projects/:id/agents/:slug/versions',
  tag: 'Agents',
  summary: "List an agent's revisions, newest first",
  operationId: 'listAgentVersions',
  description: 'Each change of the configuration is a revision.',
  auth: ['secret_key', 'owner'],
  params: agentParams,
  query: listAgentVersionsQuery,
  success: { status: 200, schema: listAgentVersionsResponse },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const { limit, offset } = input.query;
    const request = { slug: input.params.slug, limit, offset };
    const page = await ctx.clients.agents.listAgentVersions(request, input.call.with({ principal }));
    const versions = page.versions.map(versionJson);
    return { body: { versions, ...nextCursor(offset, versions.length, page.hasMore) } };
  },
});
