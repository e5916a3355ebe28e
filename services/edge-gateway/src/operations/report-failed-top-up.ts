import type { AutoTopUpFailed } from '@tollgate/contracts/events/v1/billing_pb.js';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../context.js';
import { insertAuditEvent } from '../store/audit-events.js';
import { listAccountEmails } from '../store/users.js';
import { queueMail } from './mail/queue-mail.js';
import type { AuditAction } from './record-audit.js';

const RECIPIENTS_MAX = 20;
/** A later mail would be about a balance that has changed. */
const MAIL_TTL_MS = 24 * 3_600_000;

/**
 * Reports a failed automatic top-up to the owners of the account, by mail and in the audit log, once per event. Without
 * PUBLIC_BASE_URL, there is no page that a mail could lead to.
 */
export async function reportFailedTopUp(
  ctx: Pick<Context, 'clock' | 'config' | 'mailer' | 'pool'>,
  event: { id: string; occurredAt: Date; message: AutoTopUpFailed },
): Promise<void> {
  const { accountId, orderId, amountCents, currency, reason, isStopped } = event.message;
  const action: AuditAction = isStopped ? 'auto_topup.stopped' : 'auto_topup.failed';
  await withTransaction(ctx.pool, async (tx) => {
    const isNew = await insertAuditEvent(tx, {
      id: event.id,
      accountId,
      projectId: null,
      action,
      actorKind: 'system',
      actorId: '',
      subjectId: orderId,
      changes: [],
      address: '',
      requestId: '',
      at: event.occurredAt,
    });
    const baseUrl = ctx.config.publicBaseUrl ?? devBaseUrl(ctx);
    if (!isNew || baseUrl === undefined) return;
    const expiresAt = new Date(ctx.clock.nowMs() + MAIL_TTL_MS);
    const details = { amountCents: Number(amountCents), currency, reason: toSentence(reason), isStopped };
    for (const recipient of await listAccountEmails(tx, accountId, RECIPIENTS_MAX))
      await queueMail(ctx, tx, { kind: 'auto_topup_failed', recipient, details, baseUrl, expiresAt });
  });
}

function devBaseUrl({ config }: Pick<Context, 'config'>): string | undefined {
  const { devMode, http } = config;
  return devMode ? `http://127.0.0.1:${http.port}` : undefined;
}

function toSentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
