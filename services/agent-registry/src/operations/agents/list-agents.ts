import { invariant } from '@tollgate/errors';
import type { Context } from '../../context.js';
import type { AgentSnapshot } from '../../domain/agent.js';
import { findRevisions } from '../../store/agent-revisions.js';
import { listAgents as readAgents } from '../../store/agents.js';
import type { Page } from '../page.js';

/** With their current revisions, oldest agent first. */
export async function listAgents(
  ctx: Context,
  projectId: string,
  { limit, offset }: Page,
): Promise<{ agents: AgentSnapshot[]; hasMore: boolean }> {
  // One more than asked for tells whether there is a next page.
  const rows = await readAgents(ctx.prisma, projectId, { take: limit + 1, skip: offset });
  const agents = rows.slice(0, limit);
  const wanted = agents.map((agent) => ({ agentId: agent.id, revision: agent.currentRevision }));
  const versions = await findRevisions(ctx.prisma, wanted);
  const snapshots = agents.map((agent) => {
    const version = versions.get(agent.id);
    invariant(version, `agent ${agent.id} has no revision ${agent.currentRevision}`);
    return { agent, version };
  });
  return { agents: snapshots, hasMore: rows.length > limit };
}
