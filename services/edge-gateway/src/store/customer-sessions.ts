import type { Queryable } from '@tollgate/postgres';

export interface CustomerSession {
  id: string;
  projectId: string;
  customerId: string;
  kind: 'device' | 'portal';
  userAgent: string | null;
  startedAt: Date;
  expiresAt: Date;
}

const LISTED_MAX = 100;

export { insertCustomerSession } from './gen/customer-sessions.js';

/** Newest first, at most a hundred. */
export async function listCustomerSessions(
  db: Queryable,
  projectId: string,
  customerId: string,
  at: Date,
): Promise<CustomerSession[]> {
  const { rows } = await db.query<CustomerSession>(
    `SELECT id, project_id AS "projectId", customer_id AS "customerId", kind, user_agent AS "userAgent",
            started_at AS "startedAt", expires_at AS "expiresAt"
       FROM customer_sessions WHERE customer_id = $1 AND project_id = $2 AND expires_at > $3
      ORDER BY started_at DESC, id LIMIT $4`,
    [customerId, projectId, at, LISTED_MAX],
  );
  return rows;
}

/** Returns false when the customer has no such session. */
export async function deleteCustomerSession(
  db: Queryable,
  { id, projectId, customerId }: Pick<CustomerSession, 'id' | 'projectId' | 'customerId'>,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'DELETE FROM customer_sessions WHERE id = $1 AND project_id = $2 AND customer_id = $3',
    [id, projectId, customerId],
  );
  return rowCount === 1;
}
