import { randomUUID } from 'node:crypto';
import type { Queryable } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import type { FailedTopUp, MailKind } from '../../domain/mail/mail.js';
import { insertMail } from '../../store/mails.js';

export interface MailRequest {
  kind: MailKind;
  recipient: string;
  subjectId?: string;
  details?: FailedTopUp;
  /** URL of the console's host. */
  baseUrl: string;
  expiresAt: Date;
}

/** Stores a mail, in its cause's transaction; the worker sends it. Does nothing in an installation without mail. */
export async function queueMail(
  ctx: Pick<Context, 'clock' | 'mailer'>,
  db: Queryable,
  { subjectId, details, ...mail }: MailRequest,
): Promise<void> {
  if (!ctx.mailer) return;
  const id = randomUUID();
  const createdAt = ctx.clock.now();
  await insertMail(db, { id, subjectId: subjectId ?? null, details: details ?? null, ...mail, createdAt });
}
