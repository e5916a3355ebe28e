import type { Context } from '../context.js';
import { findMemory } from '../store/agent-memories.js';
import { requireAgentById } from './require-agent.js';

/** Empty when nothing was written. @throws AppError NOT_FOUND */
export async function readAgentMemory(ctx: Context, projectId: string, agentId: string): Promise<string> {
  await requireAgentById(ctx, projectId, agentId);
  return findMemory(ctx.prisma, agentId);
}
