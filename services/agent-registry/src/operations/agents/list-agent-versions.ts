import type { Context } from '../../context.js';
import type { AgentVersion } from '../../domain/agent.js';
import { listRevisions } from '../../store/agent-revisions.js';
import { findAgent } from '../../store/agents.js';
import { requireFound } from '../not-found.js';
import { type Page, readPage } from '../page.js';

/** Returns a page, newest first. @throws AppError NOT_FOUND */
export async function listAgentVersions(
  ctx: Pick<Context, 'prisma'>,
  projectId: string,
  slug: string,
  page: Page,
): Promise<{ versions: AgentVersion[]; hasMore: boolean }> {
  const agent = requireFound(await findAgent(ctx.prisma, projectId, slug), 'agent');
  const { rows, hasMore } = await readPage(page, (part) => listRevisions(ctx.prisma, agent.id, part));
  return { versions: rows, hasMore };
}
