import type { Role } from '@tollgate/api/identity';
import type { Queryable } from '@tollgate/postgres';
import type { PortalSettings, ProjectInfo } from '../domain/identity.js';
import { changeProject, insertProjectRow } from './gen/projects.js';

export interface Project {
  id: string;
  accountId: string;
  ownerId: string;
  name: string;
  description: string | null;
  billingMode: 'managed' | 'byob';
  markupPercentage: number;
  publishableClaims: boolean;
  responseCache: boolean;
  /** Null: as the installation decides. */
  responseStorage: boolean | null;
  unsupportedParameters: 'refuse' | 'drop';
  mcpForCustomers: boolean;
  portalColor: string | null;
  portalOrigins: string[];
  createdAt: Date;
  updatedAt: Date;
}

/** The columns of a `Project`, of the table `projects p`. */
export const PROJECT_COLUMNS = `p.id, p.account_id AS "accountId", p.owner_id AS "ownerId", p.name, p.description,
  p.billing_mode AS "billingMode", p.markup_percentage AS "markupPercentage",
  p.publishable_claims AS "publishableClaims", p.response_cache AS "responseCache",
  p.response_storage AS "responseStorage", p.unsupported_parameters AS "unsupportedParameters",
  p.mcp_for_customers AS "mcpForCustomers", p.portal_color AS "portalColor", p.portal_origins AS "portalOrigins",
  p.created_at AS "createdAt", p.updated_at AS "updatedAt"`;

export async function readProjectInfo(db: Queryable, projectId: string): Promise<ProjectInfo | undefined> {
  const { rows } = await db.query<Project>({
    name: 'projects.read_info',
    text: `SELECT ${PROJECT_COLUMNS} FROM projects p WHERE p.id = $1 AND p.deleted_at IS NULL`,
    values: [projectId],
  });
  return rows[0] && toProjectInfo(rows[0]);
}

/** Returns how a project's portal looks and who may embed it. */
export async function readPortalSettings(db: Queryable, projectId: string): Promise<PortalSettings | undefined> {
  const { rows } = await db.query<PortalSettings>(
    `SELECT p.name, p.portal_color AS "color", p.portal_origins AS "origins"
       FROM projects p WHERE p.id = $1 AND p.deleted_at IS NULL`,
    [projectId],
  );
  return rows[0];
}

/** The columns of a `ProjectInfo`. */
export type ProjectInfoRow = Pick<
  Project,
  | 'id'
  | 'accountId'
  | 'billingMode'
  | 'publishableClaims'
  | 'responseCache'
  | 'responseStorage'
  | 'unsupportedParameters'
  | 'mcpForCustomers'
>;

export function toProjectInfo(project: ProjectInfoRow): ProjectInfo {
  return {
    projectId: project.id,
    accountId: project.accountId,
    byob: project.billingMode === 'byob',
    publishableClaims: project.publishableClaims,
    responseCache: project.responseCache,
    responseStorage: project.responseStorage ?? undefined,
    dropsUnsupportedParameters: project.unsupportedParameters === 'drop',
    mcpForCustomers: project.mcpForCustomers,
  };
}

/** What an owner chooses besides the name. */
type ProjectSettings = Pick<
  Project,
  | 'description'
  | 'billingMode'
  | 'markupPercentage'
  | 'publishableClaims'
  | 'responseCache'
  | 'responseStorage'
  | 'unsupportedParameters'
  | 'mcpForCustomers'
  | 'portalColor'
  | 'portalOrigins'
>;

export type NewProject = Pick<Project, 'id' | 'accountId' | 'ownerId' | 'name' | 'createdAt'> &
  Partial<ProjectSettings>;

export async function insertProject(db: Queryable, project: NewProject): Promise<Project> {
  const row = await insertProjectRow(db, {
    ...project,
    description: project.description ?? null,
    billingMode: project.billingMode ?? 'managed',
    markupPercentage: project.markupPercentage ?? 0,
    publishableClaims: project.publishableClaims ?? true,
    responseCache: project.responseCache ?? false,
    responseStorage: project.responseStorage ?? null,
    unsupportedParameters: project.unsupportedParameters ?? 'refuse',
    mcpForCustomers: project.mcpForCustomers ?? true,
    portalColor: project.portalColor ?? null,
    portalOrigins: project.portalOrigins ?? [],
  });
  return row!;
}

export async function findProject(db: Queryable, accountId: string, projectId: string): Promise<Project | undefined> {
  const { rows } = await db.query<Project>(
    `SELECT ${PROJECT_COLUMNS} FROM projects p WHERE p.id = $1 AND p.account_id = $2 AND p.deleted_at IS NULL`,
    [projectId, accountId],
  );
  return rows[0];
}

/** The account's projects and then those of which the user is a member, oldest first; the first is the account's default. */
export async function listProjects(
  db: Queryable,
  { accountId, userId }: { accountId: string; userId: string },
  page: { limit: number; offset: number },
): Promise<(Project & { role: Role })[]> {
  const { rows } = await db.query<Project & { role: Role }>(
    `SELECT ${PROJECT_COLUMNS}, coalesce(m.role, 'owner') AS role
       FROM projects p LEFT JOIN project_members m ON m.project_id = p.id AND m.user_id = $2 AND p.account_id <> $1
      WHERE p.id IN (SELECT id FROM projects WHERE account_id = $1
                     UNION ALL SELECT project_id FROM project_members WHERE user_id = $2) AND p.deleted_at IS NULL
      ORDER BY p.account_id <> $1, p.created_at, p.id LIMIT $3 OFFSET $4`,
    [accountId, userId, page.limit, page.offset],
  );
  return rows;
}

const KEPT = {
  name: null,
  description: null,
  billingMode: null,
  markupPercentage: null,
  publishableClaims: null,
  responseCache: null,
  responseStorage: null,
  unsupportedParameters: null,
  mcpForCustomers: null,
  portalColor: null,
  portalOrigins: null,
} satisfies Record<keyof ProjectChange, null>;

/** Undefined fields keep their value. */
export type ProjectChange = Partial<Pick<Project, 'name'> & ProjectSettings>;

/** Returns false when the account has no such project. */
export async function updateProjectRow(
  db: Queryable,
  accountId: string,
  projectId: string,
  change: ProjectChange,
  at: Date,
): Promise<boolean> {
  const count = await changeProject(db, {
    ...KEPT,
    ...change,
    setsDescription: change.description !== undefined,
    setsResponseStorage: change.responseStorage !== undefined,
    setsPortalColor: change.portalColor !== undefined,
    accountId,
    projectId,
    at,
  });
  return count === 1;
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
