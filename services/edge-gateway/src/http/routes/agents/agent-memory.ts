import { agentMemoryBody, agentMemoryQuery, agentMemoryResponse } from '@tollgate/api/runs';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import { findNamedCustomer } from '../../../auth/authenticate.js';
import { requireProject } from '../../../auth/project-scope.js';
import type { Context } from '../../../context.js';
import { principalForCustomer } from '../../../domain/principal.js';
import { defineRoute } from '../../exchange/route.js';
import { agentParams } from './agents.js';

/** The document that a request names: the agent's own, or its customer's. */
interface MemoryPlace {
  agentId: string;
  customerId: string | undefined;
  /** Acts for the customer, so that the registry chooses the document. */
  call: Call;
}

/** @throws AppError NOT_FOUND for an unknown agent or customer */
async function findMemoryPlace(
  ctx: Pick<Context, 'clients' | 'customers' | 'revocations'>,
  principal: Principal,
  { slug, customerId }: { slug: string; customerId: string | undefined },
  call: Call,
): Promise<MemoryPlace> {
  const inProject = call.with({ principal });
  const { snapshot } = await ctx.clients.agents.getAgent({ slug }, inProject);
  const agentId = snapshot!.agent!.id;
  if (customerId === undefined) return { agentId, customerId: principal.customerId || undefined, call: inProject };
  const customer = await findNamedCustomer(ctx, principal, customerId);
  const acting = principalForCustomer(principal, customer);
  return { agentId, customerId: customer.customerId, call: call.with({ principal: acting }) };
}

function memoryJson({ customerId }: MemoryPlace, content: string) {
  return { memory: { ...(customerId !== undefined && { customer_id: customerId }), content } };
}

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
