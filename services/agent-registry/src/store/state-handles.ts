import type { Queryable } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import type { Scope } from '../domain/scope.js';
import type { StateHandle } from '../domain/state-handle.js';
import { insertStateHandleRow } from './gen/sessions.js';

interface Row {
  id: string;
  project_id: string;
  customer_id: string | null;
  created_at: Date;
  expires_at: Date | null;
}

const COLUMNS = 'id, project_id, customer_id, created_at, expires_at';
/** Parameters 1 to 3: the project, the customer or null for the whole project, and the current time. */
const LIVE_IN_SCOPE = `project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)
  AND (expires_at IS NULL OR expires_at > $3)`;

export async function insertStateHandle(db: Queryable, handle: StateHandle): Promise<void> {
  const { customerId = null, expiresAt = null } = handle;
  await insertStateHandleRow(db, { ...handle, customerId, expiresAt });
}

export async function findStateHandle(
  db: Queryable,
  scope: Scope,
  id: string,
  now: Date,
): Promise<StateHandle | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await db.query<Row>(`SELECT ${COLUMNS} FROM state_handles WHERE ${LIVE_IN_SCOPE} AND id = $4`, [
    scope.projectId,
    scope.customerId ?? null,
    now,
    id,
  ]);
  return rows[0] && toStateHandle(rows[0]);
}

/** Returns a page, newest first, without expired handles. */
export async function listStateHandles(
  db: Queryable,
  scope: Scope,
  now: Date,
  page: { take: number; skip: number },
): Promise<StateHandle[]> {
  const { rows } = await db.query<Row>(
    `SELECT ${COLUMNS} FROM state_handles WHERE ${LIVE_IN_SCOPE}
     ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5`,
    [scope.projectId, scope.customerId ?? null, now, page.take, page.skip],
  );
  return rows.map(toStateHandle);
}

/** Returns false when no such handle is live and in scope. */
export async function deleteStateHandle(db: Queryable, scope: Scope, id: string, now: Date): Promise<boolean> {
  if (!isUuid(id)) return false;
  const { rowCount } = await db.query(`DELETE FROM state_handles WHERE ${LIVE_IN_SCOPE} AND id = $4`, [
    scope.projectId,
    scope.customerId ?? null,
    now,
    id,
  ]);
  return rowCount === 1;
}

/** Removes at most `limit` expired handles and returns how many; skips rows that another sweeper has locked. */
export async function deleteExpiredStateHandles(db: Queryable, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `DELETE FROM state_handles WHERE id IN (
       SELECT id FROM state_handles WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
     )`,
    [now, limit],
  );
  return rowCount ?? 0;
}

function toStateHandle(row: Row): StateHandle {
  return {
    id: row.id,
    projectId: row.project_id,
    customerId: row.customer_id ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
  };
}
