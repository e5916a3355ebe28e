import { AppError, invariant } from '@tollgate/errors';
import type { Context } from '../../context.js';
import { type Agent, type AgentSnapshot, type AgentVersion, parseAgentReference } from '../../domain/agent.js';
import { findRevision, findRevisions, listRevisions } from '../../store/agent-revisions.js';
import { findAgent, findAgentById, listAgentsBySlug, listAgents as readAgents } from '../../store/agents.js';
import { notFound, requireFound } from '../not-found.js';
import { type Page, readPage } from '../page.js';

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
async function withCurrentRevisions(ctx: Pick<Context, 'prisma'>, agents: readonly Agent[]): Promise<AgentSnapshot[]> {
  const wanted = agents.map((agent) => ({ agentId: agent.id, revision: agent.currentRevision }));
  const versions = await findRevisions(ctx.prisma, wanted);
  return agents.map((agent) => {
    const version = versions.get(agent.id);
    invariant(version, `agent ${agent.id} has no revision ${agent.currentRevision}`);
    return { agent, version };
  });
}

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

const LIMIT_MAX = 200;

interface RunnableAgentsPage {
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

/** Also returns deleted agents: a run that has pinned a revision continues with it. @throws AppError NOT_FOUND */
export async function requireAgentById(ctx: Pick<Context, 'prisma'>, projectId: string, id: string): Promise<Agent> {
  return requireFound(await findAgentById(ctx.prisma, projectId, id), 'agent');
}
