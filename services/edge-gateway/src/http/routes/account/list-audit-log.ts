import { type AuditEventRecord, auditLogQuery, auditLogResponse } from '@tollgate/api/identity';
import { nextCursor } from '@tollgate/api/values';
import { type AuditEvent, listAuditEvents } from '../../../store/audit-events.js';
import { defineRoute } from '../../exchange/route.js';

export const listAuditLog = defineRoute({
  method: 'GET',
  path: '/account/audit-log',
  tag: 'Account',
  summary: "List the account's security-relevant actions, newest first",
  operationId: 'listAuditLog',
  description: 'Sign-ins, keys, tiers, agents and settings: who did it, when, from where, and for some what changed.',
  auth: ['owner'],
  query: auditLogQuery,
  success: { status: 200, schema: auditLogResponse },
  handler: async ({ query, principal }, ctx) => {
    const { limit, offset, action } = query;
    const found = await listAuditEvents(ctx.pool, principal.accountId, { limit: limit + 1, offset, action });
    const events = found.slice(0, limit).map(auditEventJson);
    return { body: { events, ...nextCursor(offset, events.length, found.length > limit) } };
  },
});

function auditEventJson(event: AuditEvent): AuditEventRecord {
  return {
    id: event.id,
    action: event.action,
    actor: { kind: event.actorKind, id: event.actorId },
    ...(event.projectId !== null && { project_id: event.projectId }),
    ...(event.subjectId !== null && { subject_id: event.subjectId }),
    ...(event.changes.length > 0 && { changes: [...event.changes] }),
    address: event.address,
    request_id: event.requestId,
    at: event.at.toISOString(),
  };
}
