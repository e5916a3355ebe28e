import { agentResponse, updateAgentBody } from '@tollgate/api/runs';
import { AppError } from '@tollgate/errors';
import { requireProject } from '../../../auth/project-scope.js';
import { defineRoute } from '../../exchange/route.js';
import { agentValues, updateMask } from './agent-values.js';
import { checkAgentReferences } from './check-references.js';
import { agentParams } from './params.js';
import { agentFields, snapshotJson } from './render.js';

export const updateAgent = defineRoute({
  method: 'PATCH',
  path: '/projects/:id/agents/:slug',
  tag: 'Agents',
  summary: 'Update an agent; a changed configuration makes a new revision',
  operationId: 'updateAgent',
  description: 'Runs that have started keep their revision.',
  auth: ['secret_key', 'owner'],
  params: agentParams,
  body: updateAgentBody,
  bodyClass: 'documents',
  success: { status: 200, schema: agentResponse },
  refusals: [409],
  audit: 'agent.updated',
  async handler(input, ctx) {
    const { body, params } = input;
    const principal = await requireProject(ctx, input, params.id);
    if (body.slug !== undefined && body.slug !== params.slug) throw slugIsFixed();
    const call = input.call.with({ principal });
    await checkAgentReferences(ctx, body, call);
    const request = {
      slug: params.slug,
      values: agentValues(body),
      updateMask: updateMask(body),
      ...(body.expected_revision !== undefined && { expectedRevision: body.expected_revision }),
    };
    const { snapshot: before } = await ctx.clients.agents.getAgent({ slug: params.slug }, call);
    const { snapshot } = await ctx.clients.agents.updateAgent(request, call);
    const changes = compareRecords(agentFields(before), agentFields(snapshot));
    return { body: { agent: snapshotJson(snapshot) }, audited: { changes } };
  },
});

function slugIsFixed(): AppError {
  const message = 'cannot be changed';
  return new AppError('VALIDATION_ERROR', `slug: ${message}`, { fields: [{ field: 'slug', message }] });
}
