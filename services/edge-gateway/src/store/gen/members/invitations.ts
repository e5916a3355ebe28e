// Generated from members/invitations.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertInvitationRowInput {
  id: string;
  projectId: string;
  email: string;
  emailKey: string;
  role: string;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
}

const INSERT_INVITATION_ROW = `
  INSERT INTO project_invitations (id, project_id, email, email_key, role, invited_by, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (project_id, email_key) DO NOTHING`;

export async function insertInvitationRow(db: Queryable, input: InsertInvitationRowInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'insert_invitation_row',
    text: INSERT_INVITATION_ROW,
    values: [
      input.id,
      input.projectId,
      input.email,
      input.emailKey,
      input.role,
      input.invitedBy,
      input.createdAt,
      input.expiresAt,
    ],
  });
  return rowCount ?? 0;
}
