// Generated from audit-events.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertAuditEventOnceInput {
  id: string;
  accountId: string;
  projectId: string | null;
  action: string;
  actorKind: string;
  actorId: string;
  subjectId: string | null;
  changes: string | null;
  address: string;
  requestId: string;
  at: Date;
}

const INSERT_AUDIT_EVENT_ONCE = `
  INSERT INTO audit_events (id, account_id, project_id, action, actor_kind, actor_id, subject_id, changes, address, request_id,
    at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9,
    $10, $11)
  ON CONFLICT (id) DO NOTHING`;

export async function insertAuditEventOnce(db: Queryable, input: InsertAuditEventOnceInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'insert_audit_event_once',
    text: INSERT_AUDIT_EVENT_ONCE,
    values: [
      input.id,
      input.accountId,
      input.projectId,
      input.action,
      input.actorKind,
      input.actorId,
      input.subjectId,
      input.changes,
      input.address,
      input.requestId,
      input.at,
    ],
  });
  return rowCount ?? 0;
}
