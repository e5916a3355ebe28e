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
