import type { ProjectFacts } from '../domain/identity.js';
import type { Project } from './generated/client.js';
import type { Db } from './prisma.js';

export type { Project };

export async function readProjectFacts(db: Db, projectId: string): Promise<ProjectFacts | undefined> {
  const project = await db.project.findFirst({ where: { id: projectId, deletedAt: null } });
  return project ? projectFacts(project) : undefined;
}

export function projectFacts(project: Project): ProjectFacts {
  return {
    projectId: project.id,
    accountId: project.accountId,
    byob: project.billingMode === 'byob',
    publishableClaims: project.publishableClaims,
  };
}

export type NewProject = Pick<Project, 'id' | 'accountId' | 'ownerId' | 'name' | 'createdAt'> &
  Partial<Pick<Project, 'description' | 'billingMode' | 'markupPercentage' | 'publishableClaims'>>;

export function insertProject(db: Db, project: NewProject): Promise<Project> {
  return db.project.create({ data: { ...project, updatedAt: project.createdAt } });
}

export function findProject(db: Db, accountId: string, projectId: string): Promise<Project | null> {
  return db.project.findFirst({ where: { id: projectId, accountId, deletedAt: null } });
}

/** Oldest first: the first one is the account's default. */
export function listProjects(db: Db, accountId: string, page: { limit: number; offset: number }): Promise<Project[]> {
  return db.project.findMany({
    where: { accountId, deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: page.limit,
    skip: page.offset,
  });
}

/** Locks the account's row: deletions of its projects happen one after the other. */
export async function lockAccount(db: Db, accountId: string): Promise<void> {
  await db.$queryRaw`SELECT 1 FROM accounts WHERE id = ${accountId}::uuid FOR UPDATE`;
}
