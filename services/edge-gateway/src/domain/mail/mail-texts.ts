import type { Role } from '@tollgate/api/identity';
import { escapeHtml } from './escape-html.js';
import type { FailedTopUp, Mail } from './mail.js';

type MailText = Pick<Mail, 'subject' | 'text' | 'html'>;

/** Text of a mail: sentences, one link, and what the link does not do. */
interface Parts {
  subject: string;
  before: string;
  action: string;
  url: string;
  after: string;
}

const SUBJECT_NAME_MAX = 80;

export function invitationMail(input: {
  projectName: string;
  inviter: string;
  role: Role;
  url: string;
  expiresAt: Date;
}): MailText {
  const project = toLine(input.projectName);
  return writeMail({
    subject: `Invitation to ${shorten(project)}`,
    before: `${toLine(input.inviter)} has invited you to the project “${project}” on Tollgate, as ${input.role}.`,
    action: 'Accept the invitation',
    url: input.url,
    after: `The link works once, for this address, until ${toMinute(input.expiresAt)}. If you do not know the sender, ignore this email.`,
  });
}

export function passwordResetMail({ url, expiresAt }: { url: string; expiresAt: Date }): MailText {
  return writeMail({
    subject: 'Reset your Tollgate password',
    before: 'Someone has asked to reset the password of your Tollgate account.',
    action: 'Choose a new password',
    url,
    after: `The link works once, until ${toMinute(expiresAt)}. If you did not ask for this, ignore this email: your password stays as it is.`,
  });
}

export function failedTopUpMail({
  amountCents,
  currency,
  reason,
  isStopped,
  url,
}: FailedTopUp & { url: string }): MailText {
  const amount = `${(amountCents / 100).toFixed(2)} ${currency.toUpperCase()}`;
  const next = isStopped
    ? 'Automatic top-ups are now switched off, because several in a row have failed.'
    : 'Tollgate will try again later.';
  return writeMail({
    subject: isStopped ? 'Automatic top-ups were switched off' : 'An automatic top-up failed',
    before: `Tollgate could not charge ${amount} to the card of your account: ${toLine(reason)} ${next}`,
    action: 'Check the balance and the card',
    url,
    after: 'Requests are refused once the balance is used up.',
  });
}

function writeMail({ subject, before, action, url, after }: Parts): MailText {
  const text = `${before}\n\n${action}:\n${url}\n\n${after}\n`;
  const html = `<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">
<p>${escapeHtml(before)}</p>
<p><a href="${escapeHtml(url)}">${escapeHtml(action)}</a></p>
<p style="color:#555">${escapeHtml(after)}</p>
</body></html>
`;
  return { subject, text, html };
}

/** A name may contain line breaks; a header may not. */
/** Subjects are one short line. */
function shorten(name: string): string {
  const characters = Array.from(name);
  return characters.length <= SUBJECT_NAME_MAX ? name : `${characters.slice(0, SUBJECT_NAME_MAX - 1).join('')}…`;
}

function toLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function toMinute(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
