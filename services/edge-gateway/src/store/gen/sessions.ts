// Generated from sessions.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertSessionInput {
  id: string;
  userId: string;
  expiresAt: Date;
  clientName: string | null;
  address: string | null;
}

const INSERT_SESSION = `
  INSERT INTO sessions (id, user_id, expires_at, client_name, address)
  VALUES ($1, $2, $3, $4, $5)`;

export async function insertSession(db: Queryable, input: InsertSessionInput): Promise<void> {
  await db.query({
    name: 'insert_session',
    text: INSERT_SESSION,
    values: [
      input.id,
      input.userId,
      input.expiresAt,
      input.clientName,
      input.address,
    ],
  });
}

export interface ListSignInsInput {
  userId: string;
  at: Date;
  afterAt: Date | null;
  afterId: string | null;
  limit: bigint | number;
}

export interface ListSignInsRow {
  id: string;
  clientName: string | null;
  address: string | null;
  signedInAt: Date;
  expiresAt: Date;
}

const LIST_SIGN_INS = `
  SELECT id, client_name AS "clientName", address, created_at AS "signedInAt", expires_at AS "expiresAt"
  FROM sessions
  WHERE user_id = $1 AND revoked_at IS NULL AND expires_at > $2
    AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
  ORDER BY created_at DESC, id DESC
  LIMIT $5`;

/**
 * Returns the user's sessions that are in force, newest first, behind the row of `after_at` and `after_id`.
 * Is planned at each call: the plan depends on whether a page is continued
 */
export async function listSignIns(db: Queryable, input: ListSignInsInput): Promise<ListSignInsRow[]> {
  const { rows } = await db.query<ListSignInsRow>({
    text: LIST_SIGN_INS,
    values: [
      input.userId,
      input.at,
      input.afterAt,
      input.afterId,
      input.limit,
    ],
  });
  return rows;
}
