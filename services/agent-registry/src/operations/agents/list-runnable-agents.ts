import { AppError } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { AgentSnapshot } from '../../domain/agent.js';
import { listAgentsBySlug } from '../../store/agents.js';
import { withCurrentRevisions } from './list-agents.js';

const LIMIT_MAX = 200;

export interface RunnableAgentsPage {
  limit: number;
  /** Empty for the first page. */
  afterSlug: string;
}

/** Returns a page of the project's agents by slug, with their current revisions. @throws AppError INVALID_INPUT for a limit out of range */
export async function listRunnableAgents(
  ctx: Pick<Context, 'prisma'>,
  projectId: string,
  { limit, afterSlug }: RunnableAgentsPage,
): Promise<{ agents: AgentSnapshot[]; hasMore: boolean }> {
  if (limit < 1 || limit > LIMIT_MAX) throw new AppError('INVALID_INPUT', `limit must be between 1 and ${LIMIT_MAX}`);
  const rows = await listAgentsBySlug(ctx.prisma, projectId, { afterSlug, take: limit + 1 });
  return { agents: await withCurrentRevisions(ctx, rows.slice(0, limit)), hasMore: rows.length > limit };
}
