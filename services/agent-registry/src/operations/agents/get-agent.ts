import type { Context } from '../../context.js';
import type { AgentSnapshot } from '../../domain/agent.js';
import { findRevision } from '../../store/agent-revisions.js';
import { findAgent } from '../../store/agents.js';
import { requireFound } from '../not-found.js';

/** Returns the named revision, by default the current one. @throws AppError NOT_FOUND */
export async function getAgent(
  ctx: Pick<Context, 'prisma'>,
  projectId: string,
  slug: string,
  revision: number | undefined,
): Promise<AgentSnapshot> {
  const agent = requireFound(await findAgent(ctx.prisma, projectId, slug), 'agent');
  const version = await findRevision(ctx.prisma, agent.id, revision ?? agent.currentRevision);
  return { agent, version: requireFound(version, 'agent revision') };
}
