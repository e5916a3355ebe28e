import type { Role } from '@tollgate/api/identity';
import type { Queryable } from '@tollgate/postgres';
import type { ListPlace } from '../../domain/reports/list-cursor.js';
import { insertInvitationRow } from '../gen/members/invitations.js';

export interface Invitation {
  id: string;
  projectId: string;
  email: string;
  emailKey: string;
  role: Role;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
}

const COLUMNS = `i.id, i.project_id AS "projectId", i.email, i.email_key AS "emailKey", i.role, i.invited_by AS "invitedBy",
  i.created_at AS "createdAt", i.expires_at AS "expiresAt"`;

/** Returns false when the address has an open invitation to the project. An expired one is replaced. */
export async function insertInvitation(db: Queryable, invitation: Invitation): Promise<boolean> {
  const { projectId, emailKey, createdAt } = invitation;
  await db.query('DELETE FROM project_invitations WHERE project_id = $1 AND email_key = $2 AND expires_at <= $3', [
    projectId,
    emailKey,
    createdAt,
  ]);
  return (await insertInvitationRow(db, invitation)) === 1;
}

/** The oldest come first. */
export async function listInvitations(
  db: Queryable,
  projectId: string,
  page: { limit: number; after: ListPlace | undefined },
): Promise<Invitation[]> {
  const { rows } = await db.query<Invitation>(
    `SELECT ${COLUMNS} FROM project_invitations i
      WHERE i.project_id = $1 AND ($2::timestamptz IS NULL OR (i.created_at, i.id) > ($2, $3::uuid))
      ORDER BY i.created_at, i.id LIMIT $4`,
    [projectId, page.after?.at ?? null, page.after?.id ?? null, page.limit],
  );
  return rows;
}

/** Locks an invitation of the project until the transaction ends. */
export async function lockInvitation(db: Queryable, projectId: string, id: string): Promise<Invitation | undefined> {
  const { rows } = await db.query<Invitation>(
    `SELECT ${COLUMNS} FROM project_invitations i WHERE i.project_id = $1 AND i.id = $2 FOR UPDATE`,
    [projectId, id],
  );
  return rows[0];
}

export interface OpenInvitation extends Invitation {
  projectName: string;
  accountId: string;
}

/** Returns an invitation that can be accepted, and its project. */
export async function findOpenInvitation(db: Queryable, id: string, at: Date): Promise<OpenInvitation | undefined> {
  const { rows } = await db.query<OpenInvitation>(
    `SELECT ${COLUMNS}, p.name AS "projectName", p.account_id AS "accountId"
       FROM project_invitations i JOIN projects p ON p.id = i.project_id
      WHERE i.id = $1 AND i.expires_at > $2 AND p.deleted_at IS NULL`,
    [id, at],
  );
  return rows[0];
}

export async function extendInvitation(
  db: Queryable,
  id: string,
  { invitedBy, expiresAt }: Pick<Invitation, 'invitedBy' | 'expiresAt'>,
): Promise<void> {
  await db.query('UPDATE project_invitations SET invited_by = $2, expires_at = $3 WHERE id = $1', [
    id,
    invitedBy,
    expiresAt,
  ]);
}

/** Returns false when the invitation was accepted or revoked before. */
export async function deleteInvitation(db: Queryable, projectId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM project_invitations WHERE project_id = $1 AND id = $2', [
    projectId,
    id,
  ]);
  return rowCount === 1;
}
