import type { Context } from '../../context.js';
import type { AgentVersion } from '../../domain/agent.js';
import { listRevisions } from '../../store/agent-revisions.js';
import { findAgent } from '../../store/agents.js';
import { notFound } from '../not-found.js';
import type { Page } from '../page.js';

/** Newest first. @throws AppError NOT_FOUND */
export async function listAgentVersions(
  ctx: Context,
  projectId: string,
  slug: string,
  { limit, offset }: Page,
): Promise<{ versions: AgentVersion[]; hasMore: boolean }> {
  const agent = await findAgent(ctx.prisma, projectId, slug);
  if (!agent) throw notFound('agent');
  const rows = await listRevisions(ctx.prisma, agent.id, { take: limit + 1, skip: offset });
  return { versions: rows.slice(0, limit), hasMore: rows.length > limit };
}
