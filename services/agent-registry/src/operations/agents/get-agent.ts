import type { Context } from '../../context.js';
import type { AgentSnapshot } from '../../domain/agent.js';
import { findRevision } from '../../store/agent-revisions.js';
import { findAgent } from '../../store/agents.js';
import { notFound } from '../not-found.js';

/** The current revision unless one is named. @throws AppError NOT_FOUND */
export async function getAgent(
  ctx: Context,
  projectId: string,
  slug: string,
  revision: number | undefined,
): Promise<AgentSnapshot> {
  const agent = await findAgent(ctx.prisma, projectId, slug);
  if (!agent) throw notFound('agent');
  const version = await findRevision(ctx.prisma, agent.id, revision ?? agent.currentRevision);
  if (!version) throw notFound('agent revision');
  return { agent, version };
}
