import type { Queryable } from '@tollgate/postgres';
import type { OwnerInfo } from '../domain/identity.js';
import { PROJECT_COLUMNS, type Project, toProjectInfo } from './projects.js';

export interface User {
  id: string;
  accountId: string;
  email: string;
  emailKey: string;
  /** Null for a user who signs in through an OAuth provider. */
  passwordHash: string | null;
  createdAt: Date;
}

const COLUMNS = `u.id, u.account_id AS "accountId", u.email, u.email_key AS "emailKey",
  u.password_hash AS "passwordHash", u.created_at AS "createdAt"`;

/** Returns the user's account with its default project, which is the oldest. */
export async function readOwnerInfo(db: Queryable, userId: string): Promise<OwnerInfo | undefined> {
  const { rows } = await db.query<Project>({
    name: 'users.read_owner',
    text: `SELECT ${PROJECT_COLUMNS} FROM users u JOIN projects p ON p.account_id = u.account_id
            WHERE u.id = $1 AND p.deleted_at IS NULL ORDER BY p.created_at, p.id LIMIT 1`,
    values: [userId],
  });
  return rows[0] && { userId, project: toProjectInfo(rows[0]) };
}

/** Returns the emails of an account's users. */
export async function listAccountEmails(db: Queryable, accountId: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ email: string }>(
    'SELECT email FROM users WHERE account_id = $1 ORDER BY created_at, id LIMIT $2',
    [accountId, limit],
  );
  return rows.map(({ email }) => email);
}

export async function findUserByEmailKey(db: Queryable, emailKey: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(`SELECT ${COLUMNS} FROM users u WHERE u.email_key = $1`, [emailKey]);
  return rows[0];
}

export async function findUser(db: Queryable, userId: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(`SELECT ${COLUMNS} FROM users u WHERE u.id = $1`, [userId]);
  return rows[0];
}

/** Locks the user's password until the transaction ends. Returns false when it was replaced. */
export async function holdPasswordHash(db: Queryable, userId: string, passwordHash: string): Promise<boolean> {
  const { rowCount } = await db.query('SELECT FROM users WHERE id = $1 AND password_hash = $2 FOR SHARE', [
    userId,
    passwordHash,
  ]);
  return rowCount === 1;
}

export async function updatePasswordHash(db: Queryable, userId: string, passwordHash: string): Promise<void> {
  await db.query('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, passwordHash]);
}

export async function findUserByIdentity(db: Queryable, provider: string, subject: string): Promise<User | undefined> {
  const { rows } = await db.query<User>(
    `SELECT ${COLUMNS} FROM user_identities i JOIN users u ON u.id = i.user_id WHERE i.provider = $1 AND i.subject = $2`,
    [provider, subject],
  );
  return rows[0];
}

/** Returns the owner account of the user with this email. */
export async function findAccountIdByEmailKey(db: Queryable, emailKey: string): Promise<string | undefined> {
  const { rows } = await db.query<{ account_id: string }>('SELECT account_id FROM users WHERE email_key = $1', [
    emailKey,
  ]);
  return rows[0]?.account_id;
}
