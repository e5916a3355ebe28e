import { randomBytes } from 'node:crypto';
import type { Queryable } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { emailKey } from '../../domain/email.js';
import type { Mail } from '../../domain/mail/mail.js';
import { failedTopUpMail, invitationMail, passwordResetMail } from '../../domain/mail/mail-texts.js';
import { formatOneTimeCode, hashOneTimeCode, PASSWORD_RESET_TTL_MS } from '../../domain/members/one-time-code.js';
import { countEarlierMails, type QueuedMail } from '../../store/mails.js';
import { findOpenInvitation } from '../../store/members/invitations.js';
import { type CodeKind, insertOneTimeCode } from '../../store/members/one-time-codes.js';
import { findUser, findUserByEmailKey } from '../../store/users.js';

/** Mails to one user while their links are valid: others cannot flood the user. */
const RESET_MAILS_MAX = 3;

type Parts = Pick<Context, 'clock' | 'pool'>;

/** Returns a mail with a new link; undefined when there is no reason for it, or none any longer. */
export function writeMail(ctx: Parts, queued: QueuedMail): Promise<Mail | undefined> {
  switch (queued.kind) {
    case 'invitation':
      return writeInvitation(ctx, queued);
    case 'password_reset':
      return writePasswordReset(ctx, queued);
    case 'auto_topup_failed':
      return Promise.resolve(writeFailedTopUp(queued));
  }
}

function writeFailedTopUp({ id, recipient, baseUrl, details }: QueuedMail): Mail | undefined {
  return details ? { id, to: recipient, ...failedTopUpMail({ ...details, url: `${baseUrl}/console/` }) } : undefined;
}

async function writeInvitation({ pool, clock }: Parts, queued: QueuedMail): Promise<Mail | undefined> {
  const invitation = queued.subjectId && (await findOpenInvitation(pool, queued.subjectId, clock.now()));
  if (!invitation) return undefined;
  const { id: subjectId, projectName, role, invitedBy, expiresAt } = invitation;
  const inviter = (await findUser(pool, invitedBy))?.email ?? 'An owner';
  const code = await issueCode(pool, { kind: 'invitation', subjectId, expiresAt });
  const url = `${queued.baseUrl}/console/invitation#${code}`;
  return { id: queued.id, to: queued.recipient, ...invitationMail({ projectName, inviter, role, url, expiresAt }) };
}

async function writePasswordReset({ pool, clock }: Parts, queued: QueuedMail): Promise<Mail | undefined> {
  const user = await findUserByEmailKey(pool, emailKey(queued.recipient));
  if (!user) return undefined;
  const since = new Date(clock.nowMs() - PASSWORD_RESET_TTL_MS);
  if ((await countEarlierMails(pool, queued, user.emailKey, since)) >= RESET_MAILS_MAX) return undefined;
  const { expiresAt } = queued;
  const code = await issueCode(pool, { kind: 'password_reset', subjectId: user.id, expiresAt });
  const url = `${queued.baseUrl}/console/reset-password#${code}`;
  // To the address of the account: the request may have written it in another form.
  return { id: queued.id, to: user.email, ...passwordResetMail({ url, expiresAt }) };
}

async function issueCode(db: Queryable, code: { kind: CodeKind; subjectId: string; expiresAt: Date }): Promise<string> {
  const text = formatOneTimeCode(randomBytes(32));
  await insertOneTimeCode(db, { hash: hashOneTimeCode(text), ...code });
  return text;
}
