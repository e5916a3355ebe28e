import type { Queryable } from '@tollgate/postgres';

export interface PortalLink {
  codeHash: Buffer;
  projectId: string;
  customerId: string;
  returnUrl: string | null;
  expiresAt: Date;
}

export { insertPortalLink } from './gen/customer-sessions.js';

/** Returns the project's link, unless it was opened or has expired. */
export async function findPortalLink(
  db: Queryable,
  codeHash: Buffer,
  projectId: string,
  at: Date,
): Promise<PortalLink | undefined> {
  const { rows } = await db.query<PortalLink>(
    `SELECT code_hash AS "codeHash", project_id AS "projectId", customer_id AS "customerId", return_url AS "returnUrl",
            expires_at AS "expiresAt"
       FROM portal_links WHERE code_hash = $1 AND project_id = $2 AND expires_at > $3`,
    [codeHash, projectId, at],
  );
  return rows[0];
}

/** Returns false when another request has opened the link. */
export async function deletePortalLink(db: Queryable, codeHash: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM portal_links WHERE code_hash = $1', [codeHash]);
  return rowCount === 1;
}
