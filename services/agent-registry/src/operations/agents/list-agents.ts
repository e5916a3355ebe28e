import { invariant } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { Agent, AgentSnapshot } from '../../domain/agent.js';
import { findRevisions } from '../../store/agent-revisions.js';
import { listAgents as readAgents } from '../../store/agents.js';
import { type Page, readPage } from '../page.js';

/** Returns a page of agents with their current revisions, oldest agent first. */
export async function listAgents(
  ctx: Pick<Context, 'prisma'>,
  projectId: string,
  page: Page,
): Promise<{ agents: AgentSnapshot[]; hasMore: boolean }> {
  const { rows: agents, hasMore } = await readPage(page, (part) => readAgents(ctx.prisma, projectId, part));
  return { agents: await withCurrentRevisions(ctx, agents), hasMore };
}

/** Returns the agents, each with its current revision. */
export async function withCurrentRevisions(
  ctx: Pick<Context, 'prisma'>,
  agents: readonly Agent[],
): Promise<AgentSnapshot[]> {
  const wanted = agents.map((agent) => ({ agentId: agent.id, revision: agent.currentRevision }));
  const versions = await findRevisions(ctx.prisma, wanted);
  return agents.map((agent) => {
    const version = versions.get(agent.id);
    invariant(version, `agent ${agent.id} has no revision ${agent.currentRevision}`);
    return { agent, version };
  });
}
