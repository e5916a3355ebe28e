import type { Role } from '@tollgate/api/identity';
import type { Queryable } from '@tollgate/postgres';
import type { ListPlace } from '../../domain/reports/list-cursor.js';

export interface Member {
  userId: string;
  email: string;
  role: Role;
  /** The user belongs to the project's own account. */
  isAccountOwner: boolean;
  joinedAt: Date;
}

/** The users of the project's account, which are its owners without a row, and its other members. Parameter 1: the project. */
const MEMBERS = `
  SELECT u.id, u.email, 'owner' AS role, true AS is_account_owner, p.created_at AS joined_at
    FROM projects p JOIN users u ON u.account_id = p.account_id WHERE p.id = $1
  UNION ALL
  SELECT u.id, u.email, m.role, false, m.created_at
    FROM project_members m JOIN users u ON u.id = m.user_id WHERE m.project_id = $1`;

const COLUMNS = `id AS "userId", email, role, is_account_owner AS "isAccountOwner", joined_at AS "joinedAt"`;

/** Returns the user's role in a project of another account; undefined without a membership. */
export async function readMemberRole(
  db: Queryable,
  projectId: string,
  userId: string,
): Promise<{ role: Role } | undefined> {
  const { rows } = await db.query<{ role: Role }>({
    name: 'project_members.read_role',
    text: 'SELECT role FROM project_members WHERE project_id = $1 AND user_id = $2',
    values: [projectId, userId],
  });
  return rows[0];
}

/** The first to join come first. */
export async function listMembers(
  db: Queryable,
  projectId: string,
  page: { limit: number; after: ListPlace | undefined },
): Promise<Member[]> {
  const { rows } = await db.query<Member>(
    `SELECT ${COLUMNS} FROM (${MEMBERS}) AS m
      WHERE $2::timestamptz IS NULL OR (joined_at, id) > ($2, $3::uuid) ORDER BY joined_at, id LIMIT $4`,
    [projectId, page.after?.at ?? null, page.after?.id ?? null, page.limit],
  );
  return rows;
}

export async function findMember(db: Queryable, projectId: string, userId: string): Promise<Member | undefined> {
  const { rows } = await db.query<Member>(`SELECT ${COLUMNS} FROM (${MEMBERS}) AS m WHERE id = $2`, [
    projectId,
    userId,
  ]);
  return rows[0];
}

export async function findMemberByEmailKey(
  db: Queryable,
  projectId: string,
  emailKey: string,
): Promise<Member | undefined> {
  const { rows } = await db.query<Member>(
    `SELECT ${COLUMNS} FROM (${MEMBERS}) AS m WHERE id = (SELECT id FROM users WHERE email_key = $2)`,
    [projectId, emailKey],
  );
  return rows[0];
}

/** Locks the project's row, which serializes the changes of its members. Returns its name; undefined when it is deleted. */
export async function lockProject(db: Queryable, projectId: string): Promise<{ name: string } | undefined> {
  const { rows } = await db.query<{ name: string }>(
    'SELECT name FROM projects WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
    [projectId],
  );
  return rows[0];
}

export async function insertMember(
  db: Queryable,
  member: { projectId: string; userId: string; role: Role; createdAt: Date },
): Promise<void> {
  await db.query('INSERT INTO project_members (project_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)', [
    member.projectId,
    member.userId,
    member.role,
    member.createdAt,
  ]);
}

export async function updateMemberRole(db: Queryable, projectId: string, userId: string, role: Role): Promise<void> {
  await db.query('UPDATE project_members SET role = $3 WHERE project_id = $1 AND user_id = $2', [
    projectId,
    userId,
    role,
  ]);
}

export async function deleteMember(db: Queryable, projectId: string, userId: string): Promise<void> {
  await db.query('DELETE FROM project_members WHERE project_id = $1 AND user_id = $2', [projectId, userId]);
}

/** Returns how many members and open invitations a project has, besides its own account. */
export async function countMembers(db: Queryable, projectId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM project_members WHERE project_id = $1)::int
          + (SELECT count(*) FROM project_invitations WHERE project_id = $1)::int AS count`,
    [projectId],
  );
  return rows[0]!.count;
}
