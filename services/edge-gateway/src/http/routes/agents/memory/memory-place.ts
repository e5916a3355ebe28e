import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import { findNamedCustomer } from '../../../../auth/authenticate.js';
import type { Context } from '../../../../context.js';
import { principalForCustomer } from '../../../../domain/principal.js';

/** The document that a request names: the agent's own, or its customer's. */
export interface MemoryPlace {
  agentId: string;
  customerId: string | undefined;
  /** Acts for the customer, so that the registry chooses the document. */
  call: Call;
}

/** @throws AppError NOT_FOUND for an unknown agent or customer */
export async function findMemoryPlace(
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

export function memoryJson({ customerId }: MemoryPlace, content: string) {
  return { memory: { ...(customerId !== undefined && { customer_id: customerId }), content } };
}
