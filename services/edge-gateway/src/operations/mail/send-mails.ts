import { MailRefused } from '../../clients/mail/mailer.js';
import type { Context } from '../../context.js';
import { MAIL_ATTEMPTS_MAX, MAIL_LEASE_MS, mailPauseMs } from '../../domain/mail/mail.js';
import { claimMails, endMail, postponeMail, type QueuedMail } from '../../store/mails.js';
import { writeMail } from './write-mail.js';

/** Of one pass; they are sent at once, each within the mailer's limit, so that all end within the lease. */
const BATCH = 2;

type Parts = Pick<Context, 'clock' | 'logger' | 'mailer' | 'pool'>;

/**
 * Sends the mails that are due. A mail is sent again when a process has ended between the server's acceptance and the note of
 * it: SMTP has no other answer. Its id stays the same, so that mail programs can show it once.
 *
 * @returns whether more may be due
 */
export async function sendMails(ctx: Parts): Promise<boolean> {
  if (!ctx.mailer) return false;
  const now = ctx.clock.now();
  const mails = await claimMails(ctx.pool, now, new Date(now.getTime() + MAIL_LEASE_MS), BATCH);
  await Promise.all(mails.map((mail) => sendMail(ctx, mail)));
  return mails.length === BATCH;
}

async function sendMail(ctx: Parts, queued: QueuedMail): Promise<void> {
  const { id, kind, attempts } = queued;
  if (queued.expiresAt <= ctx.clock.now() || attempts > MAIL_ATTEMPTS_MAX) return giveUp(ctx, queued);
  try {
    const mail = await writeMail(ctx, queued);
    if (mail) await ctx.mailer?.send(mail);
    await endMail(ctx.pool, id, mail ? 'sent' : 'dropped', ctx.clock.now());
  } catch (err) {
    ctx.logger.warn({ ...describeFault(err), mail: id, kind, attempts }, 'mail not sent');
    if (err instanceof MailRefused || attempts >= MAIL_ATTEMPTS_MAX) return giveUp(ctx, queued);
    await postponeMail(ctx.pool, id, new Date(ctx.clock.nowMs() + mailPauseMs(attempts)));
  }
}

/** Leaves out the text of the error, which quotes addresses. */
function describeFault(error: unknown): { code: string | undefined; response_code: number | undefined } {
  const cause: { code?: string; responseCode?: number } = Object(error instanceof MailRefused ? error.cause : error);
  return { code: cause.code, response_code: cause.responseCode };
}

async function giveUp(ctx: Parts, { id, kind, attempts }: QueuedMail): Promise<void> {
  ctx.logger.error({ mail: id, kind, attempts }, 'mail given up');
  await endMail(ctx.pool, id, 'failed', ctx.clock.now());
}
