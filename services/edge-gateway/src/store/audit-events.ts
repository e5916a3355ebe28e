import type { Queryable } from '@tollgate/postgres';
import type { AuditEvent } from './generated/client.js';
import type { Db } from './prisma.js';

export type { AuditEvent };

export async function insertAuditEvent(db: Db, event: Omit<AuditEvent, 'at'>): Promise<void> {
  await db.auditEvent.create({ data: event });
}

/** Newest first. */
export function listAuditEvents(
  db: Db,
  accountId: string,
  page: { limit: number; offset: number; action?: string | undefined },
): Promise<AuditEvent[]> {
  return db.auditEvent.findMany({
    where: { accountId, ...(page.action !== undefined && { action: page.action }) },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: page.limit,
    skip: page.offset,
  });
}

export async function deleteOldAuditEvents(db: Queryable, keepDays: number): Promise<void> {
  await db.query("DELETE FROM audit_events WHERE at < now() - $1 * interval '1 day'", [keepDays]);
}
