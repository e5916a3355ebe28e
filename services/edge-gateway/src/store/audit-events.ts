import type { Queryable } from '@tollgate/postgres';
import type { FieldChange } from '../domain/reports/compare-records.js';
import { insertAuditEventOnce } from './gen/audit-events.js';

export interface AuditEvent {
  id: string;
  accountId: string;
  projectId: string | null;
  action: string;
  actorKind: 'user' | 'key' | 'customer' | 'anonymous' | 'system';
  actorId: string;
  subjectId: string | null;
  changes: readonly FieldChange[];
  address: string;
  requestId: string;
  at: Date;
}

const COLUMNS = `id, account_id AS "accountId", project_id AS "projectId", action, actor_kind AS "actorKind",
  actor_id AS "actorId", subject_id AS "subjectId", coalesce(changes, '[]') AS changes, address, request_id AS "requestId", at`;

/** Returns false if the event is stored already. */
export async function insertAuditEvent(db: Queryable, event: AuditEvent): Promise<boolean> {
  const changes = event.changes.length === 0 ? null : JSON.stringify(event.changes);
  return (await insertAuditEventOnce(db, { ...event, changes })) === 1;
}

/** Newest first. */
export async function listAuditEvents(
  db: Queryable,
  accountId: string,
  page: { limit: number; offset: number; action?: string | undefined },
): Promise<AuditEvent[]> {
  const { rows } = await db.query<AuditEvent>(
    `SELECT ${COLUMNS} FROM audit_events WHERE account_id = $1 AND ($2::text IS NULL OR action = $2)
      ORDER BY at DESC, id DESC LIMIT $3 OFFSET $4`,
    [accountId, page.action ?? null, page.limit, page.offset],
  );
  return rows;
}
