import { agentMemoryQuery, agentMemoryResponse } from '@tollgate/api/runs';
import { requireProject } from '../../../../auth/project-scope.js';
import { defineRoute } from '../../../exchange/route.js';
import { agentParams } from '../params.js';
import { findMemoryPlace, memoryJson } from './memory-place.js';

export const getAgentMemory = defineRoute({
  method: 'GET',
  path: '/projects/:id/agents/:slug/memory',
  tag: 'Agents',
  summary: 'Get the memory of an agent, or its memory about a customer',
  operationId: 'getAgentMemory',
  description: 'The text that the tool memory_write has stored; empty if none was stored.',
  auth: ['secret_key', 'owner'],
  params: agentParams,
  query: agentMemoryQuery,
  success: { status: 200, schema: agentMemoryResponse },
  async handler(input, ctx) {
    const principal = await requireProject(ctx, input, input.params.id);
    const named = { slug: input.params.slug, customerId: input.query.customer_id };
    const place = await findMemoryPlace(ctx, principal, named, input.call);
    const { content, customerContent } = await ctx.clients.toolState.readAgentMemory(
      { agentId: place.agentId },
      place.call,
    );
    return { body: memoryJson(place, place.customerId === undefined ? content : customerContent) };
  },
});
