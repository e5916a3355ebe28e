import { AppError } from '@tollgate/errors';
import { memoryRefusal } from '@tollgate/tools';
import type { Context } from '../context.js';
import { writeMemory } from '../store/agent-memories.js';
import { requireAgentById } from './require-agent.js';

/** Replaces the agent's whole memory. @throws AppError NOT_FOUND; INVALID_INPUT for a text that is too long */
export async function writeAgentMemory(
  ctx: Context,
  projectId: string,
  agentId: string,
  content: string,
): Promise<void> {
  const refusal = memoryRefusal(content);
  if (refusal) throw new AppError(refusal.error.code, refusal.error.message);
  if (content.includes('\0')) throw new AppError('INVALID_INPUT', 'memory must not contain NUL');
  await requireAgentById(ctx, projectId, agentId);
  await writeMemory(ctx.prisma, agentId, content, ctx.clock.now());
}
