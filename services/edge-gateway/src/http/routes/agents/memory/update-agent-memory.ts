import { agentMemoryBody, agentMemoryResponse } from '@tollgate/api/runs';
import { requireProject } from '../../../../auth/project-scope.js';
import { defineRoute } from '../../../exchange/route.js';
import { agentParams } from '../params.js';
import { findMemoryPlace, memoryJson } from './memory-place.js';

export const updateAgentMemory = defineRoute({
  method: 'PUT',
  path: '/projects/:id/agents/:slug/memory',
  tag: 'Agents',
  summary: 'Replace the memory of an agent, or its memory about a customer',
  operationId: 'updateAgentMemory',
  description: 'Runs that have started keep the text that they have read. An empty text forgets everything.',
  auth: ['secret_key', 'owner'],
  params: agentParams,
  body: agentMemoryBody,
  success: { status: 200, schema: agentMemoryResponse },
  async handler(input, ctx) {
    const { content, customer_id: customerId } = input.body;
    const principal = await requireProject(ctx, input, input.params.id);
    const place = await findMemoryPlace(ctx, principal, { slug: input.params.slug, customerId }, input.call);
    await ctx.clients.toolState.writeAgentMemory({ agentId: place.agentId, content }, place.call);
    return { body: memoryJson(place, content) };
  },
});
