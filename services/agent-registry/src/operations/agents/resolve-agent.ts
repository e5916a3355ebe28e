import type { Context } from '../../context.js';
import type { AgentSnapshot } from '../../domain/agent.js';
import { parseAgentReference } from '../../domain/agent-reference.js';
import { findRevision } from '../../store/agent-revisions.js';
import { notFound, requireFound } from '../not-found.js';
import { getAgent } from './get-agent.js';
import { requireAgentById } from './require-agent.js';

/** Resolves `slug` or `slug@revision` of an agent that is not deleted. @throws AppError NOT_FOUND */
export async function resolveReference(
  ctx: Pick<Context, 'prisma'>,
  projectId: string,
  reference: string,
): Promise<AgentSnapshot> {
  const parsed = parseAgentReference(reference);
  if (!parsed) throw notFound('agent');
  return getAgent(ctx, projectId, parsed.slug, parsed.revision);
}

/** Returns a revision that a run has pinned, even when the agent was deleted since. @throws AppError NOT_FOUND */
export async function resolvePin(
  ctx: Pick<Context, 'prisma'>,
  projectId: string,
  pin: { agentId: string; revision: number },
): Promise<AgentSnapshot> {
  const agent = await requireAgentById(ctx, projectId, pin.agentId);
  const version = await findRevision(ctx.prisma, agent.id, pin.revision);
  return { agent, version: requireFound(version, 'agent revision') };
}
