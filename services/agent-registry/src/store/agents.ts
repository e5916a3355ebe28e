import { isUuid } from '@tollgate/runtime/uuid';
import type { Agent, AgentProfile } from '../domain/agent.js';
import type { Db, Tx } from './db.js';
import type { Agent as Row } from './generated/client.js';

/** Returns false when another agent of the project has the slug. */
export async function insertAgent(tx: Tx, agent: Agent): Promise<boolean> {
  const { count } = await tx.agent.createMany({ data: [agent], skipDuplicates: true });
  return count === 1;
}

/**
 * Locks the row until the transaction ends, which serializes the changes of one agent and their events. An update that
 * changes nothing is Prisma's only row lock; of a concurrent change it returns the result.
 */
export async function lockAgent(tx: Tx, projectId: string, slug: string): Promise<Agent | undefined> {
  const where = { projectId, slug, deletedAt: null };
  const [row] = await tx.agent.updateManyAndReturn({ where, data: { projectId } });
  return row && toAgent(row);
}

export async function findAgent(db: Db, projectId: string, slug: string): Promise<Agent | undefined> {
  const row = await db.agent.findFirst({ where: { projectId, slug, deletedAt: null } });
  return row ? toAgent(row) : undefined;
}

/** Also finds deleted agents. */
export async function findAgentById(db: Db, projectId: string, id: string): Promise<Agent | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await db.agent.findFirst({ where: { projectId, id } });
  return row ? toAgent(row) : undefined;
}

/** Oldest first. */
export async function listAgents(db: Db, projectId: string, page: { take: number; skip: number }): Promise<Agent[]> {
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  const rows = await db.agent.findMany({ where: { projectId, deletedAt: null }, orderBy, ...page });
  return rows.map(toAgent);
}

/** By slug, from the one after `afterSlug`: served by the index on living slugs, however far the list is read. */
export async function listAgentsBySlug(
  db: Db,
  projectId: string,
  { afterSlug, take }: { afterSlug: string; take: number },
): Promise<Agent[]> {
  const where = { projectId, deletedAt: null, slug: { gt: afterSlug } };
  return (await db.agent.findMany({ where, orderBy: { slug: 'asc' }, take })).map(toAgent);
}

export async function changeAgent(
  tx: Tx,
  id: string,
  change: AgentProfile & { currentRevision: number; updatedAt: Date },
): Promise<Agent> {
  const { name, description, currentRevision, updatedAt } = change;
  return toAgent(await tx.agent.update({ where: { id }, data: { name, description, currentRevision, updatedAt } }));
}

/** Frees the slug. */
export async function markAgentDeleted(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.agent.update({ where: { id }, data: { deletedAt: at } });
}

function toAgent({ deletedAt: _, ...agent }: Row): Agent {
  return agent;
}
