import { agentResponse, createAgentBody } from '@tollgate/api/runs';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { agentValues } from './agent-values.js';
import { checkAgentReferences } from './check-references.js';
import { projectParams } from './params.js';
import { snapshotJson } from './render.js';

export const createAgent = defineRoute({
  method: 'POST',
  path: '/projects/:id/agents',
  tag: 'Agents',
  summary: 'Create an agent',
  operationId: 'createAgent',
  description: 'An agent is a model with instructions, tools and limits, under a slug that is unique in the project.',
  auth: ['secret_key', 'owner'],
  params: projectParams,
  body: createAgentBody,
  bodyClass: 'documents',
  success: { status: 201, schema: agentResponse },
  refusals: [409],
  audit: 'agent.created',
  idempotent: true,
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const call = input.call.with({ principal });
    await checkAgentReferences(ctx, input.body, call);
    const request = { slug: input.body.slug, values: agentValues(input.body) };
    const { snapshot } = await ctx.clients.agents.createAgent(request, call);
    return { status: 201, body: { agent: snapshotJson(snapshot) }, audited: { subjectId: input.body.slug } };
  },
});
