import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import { type AgentMemory, findMemory } from '../../store/agent-memories.js';
import { requireAgentById } from './require-agent.js';

/** Returns the agent's own memory and that of the caller's customer. @throws AppError NOT_FOUND */
export async function readAgentMemory(ctx: Context, scope: Scope, agentId: string): Promise<AgentMemory> {
  await requireAgentById(ctx, scope.projectId, agentId);
  return findMemory(ctx.pool, agentId, scope.customerId);
}
