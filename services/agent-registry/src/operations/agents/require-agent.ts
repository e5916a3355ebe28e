import type { Context } from '../../context.js';
import type { Agent } from '../../domain/agent.js';
import { findAgentById } from '../../store/agents.js';
import { requireFound } from '../not-found.js';

/** Also returns deleted agents: a run that has pinned a revision continues with it. @throws AppError NOT_FOUND */
export async function requireAgentById(ctx: Pick<Context, 'prisma'>, projectId: string, id: string): Promise<Agent> {
  return requireFound(await findAgentById(ctx.prisma, projectId, id), 'agent');
}
