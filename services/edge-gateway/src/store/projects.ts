import type { Queryable } from '@tollgate/postgres';
import type { ProjectInfo } from '../domain/identity.js';
import type { Project } from './generated/client.js';
import type { Db } from './prisma.js';

export type { Project };

export async function readProjectInfo(db: Db, projectId: string): Promise<ProjectInfo | undefined> {
  const project = await db.project.findFirst({ where: { id: projectId, deletedAt: null } });
  return project ? toProjectInfo(project) : undefined;
}

export function toProjectInfo(project: Project): ProjectInfo {
  return {
    projectId: project.id,
    accountId: project.accountId,
    byob: project.billingMode === 'byob',
    publishableClaims: project.publishableClaims,
    responseCache: project.responseCache,
  };
}

export type NewProject = Pick<Project, 'id' | 'accountId' | 'ownerId' | 'name' | 'createdAt'> &
  Partial<Pick<Project, 'description' | 'billingMode' | 'markupPercentage' | 'publishableClaims' | 'responseCache'>>;

export function insertProject(db: Db, project: NewProject): Promise<Project> {
  return db.project.create({ data: { ...project, updatedAt: project.createdAt } });
}

export function findProject(db: Db, accountId: string, projectId: string): Promise<Project | null> {
  return db.project.findFirst({ where: { id: projectId, accountId, deletedAt: null } });
}

/** Oldest first; the first project is the account's default. */
export function listProjects(db: Db, accountId: string, page: { limit: number; offset: number }): Promise<Project[]> {
  return db.project.findMany({
    where: { accountId, deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: page.limit,
    skip: page.offset,
  });
}

export type ProjectChange = Partial<
  Pick<Project, 'name' | 'description' | 'billingMode' | 'markupPercentage' | 'publishableClaims' | 'responseCache'>
>;

/** Returns false when the account has no such project. */
export async function updateProjectRow(
  db: Db,
  accountId: string,
  projectId: string,
  change: ProjectChange,
  at: Date,
): Promise<boolean> {
  const result = await db.project.updateMany({
    where: { id: projectId, accountId, deletedAt: null },
    data: { ...change, updatedAt: at },
  });
  return result.count === 1;
}

/** Locks the account's row, which serializes the deletions of its projects. */
export async function lockAccount(db: Queryable, accountId: string): Promise<void> {
  await db.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [accountId]);
}

export async function countProjects(db: Queryable, accountId: string): Promise<number> {
  const result = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM projects WHERE account_id = $1 AND deleted_at IS NULL',
    [accountId],
  );
  return result.rows[0]!.count;
}

/** Returns false when the account has no such project. */
export async function markProjectDeleted(
  db: Queryable,
  accountId: string,
  projectId: string,
  at: Date,
): Promise<boolean> {
  const result = await db.query(
    'UPDATE projects SET deleted_at = $3 WHERE id = $2 AND account_id = $1 AND deleted_at IS NULL',
    [accountId, projectId, at],
  );
  return result.rowCount === 1;
}
