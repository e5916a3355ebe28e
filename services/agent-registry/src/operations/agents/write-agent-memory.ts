import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import { memoryRefusal } from '@tollgate/tools';
import type { Context } from '../../context.js';
import type { Scope } from '../../domain/scope.js';
import { writeCustomerMemory, writeOwnMemory } from '../../store/agent-memories.js';
import { requireAgentById } from './agents.js';

/**
 * Replaces the memory of the caller's customer, or the agent's own for a caller without a customer.
 *
 * @throws AppError NOT_FOUND; INVALID_INPUT for a text that is too long
 */
export async function writeAgentMemory(
  ctx: Pick<Context, 'clock' | 'pool' | 'prisma'>,
  scope: Scope,
  agentId: string,
  content: string,
): Promise<void> {
  const refusal = memoryRefusal(content);
  if (refusal) throw new AppError(refusal.error.code, refusal.error.message);
  if (content.includes('\0')) throw new AppError('INVALID_INPUT', 'memory must not contain NUL');
  const { projectId, customerId } = scope;
  await requireAgentById(ctx, projectId, agentId);
  const now = ctx.clock.now();
  if (customerId === undefined) return writeOwnMemory(ctx.pool, agentId, content, now);
  await withTransaction(ctx.pool, (tx) => writeCustomerMemory(tx, { agentId, customerId }, content, now));
}
