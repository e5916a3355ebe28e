import { randomUUID } from 'node:crypto';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Context } from '../context.js';
import type { FieldChange } from '../domain/reports/compare-records.js';
import { type AuditEvent, insertAuditEvent } from '../store/audit-events.js';
import type { User } from '../store/users.js';

/** Actions that an account's owner needs for investigating an incident. */
export type AuditAction =
  | 'account.registered'
  | 'auto_topup.failed'
  | 'auto_topup.stopped'
  | 'session.started'
  | 'session.refused'
  | 'session.locked'
  | 'session.reuse_detected'
  | 'session.device_approved'
  | 'session.device_denied'
  | 'session.ended'
  | 'password.reset'
  | 'api_key.created'
  | 'api_key.updated'
  | 'api_key.rotated'
  | 'api_key.revoked'
  | 'project.created'
  | 'project.updated'
  | 'project.deleted'
  | 'member.invited'
  | 'member.invitation_resent'
  | 'member.invitation_revoked'
  | 'member.joined'
  | 'member.updated'
  | 'member.removed'
  | 'member.left'
  | 'customer.updated'
  | 'customer.blocked'
  | 'customer.unblocked'
  | 'customer.credited'
  | 'customer.credit_withdrawn'
  | 'payment.refund_requested'
  | 'customer.deleted'
  | 'customer.portal_link_created'
  | 'customer.signed_out'
  | 'device.approved'
  | 'device.denied'
  | 'tier.created'
  | 'tier.updated'
  | 'tier.deleted'
  | 'tier.price_migrated'
  | 'subscription.updated'
  | 'subscription.canceled'
  | 'subscription.resumed'
  | 'auto_topup.updated'
  | 'auto_topup.deleted'
  | 'agent.created'
  | 'agent.updated'
  | 'agent.deleted'
  | 'connection.created'
  | 'connection.updated'
  | 'connection.deleted'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.deleted'
  | 'webhook.recovered'
  | 'mcp_server.created'
  | 'mcp_server.updated'
  | 'mcp_server.deleted'
  | 'mcp_server.connected'
  | 'mcp_server.disconnected'
  | 'tool_hook.created'
  | 'tool_hook.updated'
  | 'tool_hook.deleted';

export interface AuditEntry {
  accountId: string;
  projectId?: string | undefined;
  action: AuditAction;
  actorKind: AuditEvent['actorKind'];
  actorId: string;
  subjectId?: string | undefined;
  changes?: readonly FieldChange[] | undefined;
  address: string;
  requestId: string;
}

/** Logs an entry that cannot be stored, because its action has already happened. */
export async function recordAudit(ctx: Pick<Context, 'clock' | 'logger' | 'pool'>, entry: AuditEntry): Promise<void> {
  const { projectId = null, subjectId = null, changes = [], ...rest } = entry;
  try {
    const made = { id: randomUUID(), at: ctx.clock.now() };
    await insertAuditEvent(ctx.pool, { ...made, projectId, subjectId, changes, ...rest });
  } catch (err) {
    ctx.logger.error({ err, audit: entry }, 'audit record not stored');
  }
}

export function auditActor(principal: Principal): Pick<AuditEntry, 'actorKind' | 'actorId'> {
  // An owner's session that acts as its project's key is still the user.
  if (principal.userId !== '') return { actorKind: 'user', actorId: principal.userId };
  if (principal.kind === PrincipalKind.CUSTOMER) return { actorKind: 'customer', actorId: principal.customerId };
  return { actorKind: 'key', actorId: principal.keyId };
}

export function signedIn(user: Pick<User, 'id' | 'accountId'>, address: string, requestId: string): AuditEntry {
  const { id, accountId } = user;
  return { accountId, action: 'session.started', actorKind: 'user', actorId: id, subjectId: id, address, requestId };
}
