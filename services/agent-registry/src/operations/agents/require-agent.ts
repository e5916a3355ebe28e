import type { Context } from '../../context.js';
import type { Agent } from '../../domain/agent.js';
import { isUuid } from '../../domain/uuid.js';
import { findAgentById } from '../../store/agents.js';
import { notFound } from '../not-found.js';

/** Deleted agents too: runs that have pinned a revision go on with it. @throws AppError NOT_FOUND */
export async function requireAgentById(ctx: Context, projectId: string, id: string): Promise<Agent> {
  const agent = isUuid(id) ? await findAgentById(ctx.prisma, projectId, id) : undefined;
  if (!agent) throw notFound('agent');
  return agent;
}
