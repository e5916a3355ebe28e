export type MailKind = 'invitation' | 'password_reset' | 'auto_topup_failed';

/** An automatic top-up whose card could not be charged. */
export interface FailedTopUp {
  amountCents: number;
  currency: string;
  reason: string;
  /** No further attempt follows. */
  isStopped: boolean;
}

/** A mail as it is sent. */
export interface Mail {
  /** Stays the same when the mail is sent again: mail programs then show it once. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** How long a sender has for one mail before another one may try. */
export const MAIL_LEASE_MS = 120_000;
export const MAIL_ATTEMPTS_MAX = 8;

const MINUTE_MS = 60_000;
const PAUSE_MAX_MS = 3 * 60 * MINUTE_MS;

/** Returns the pause after the attempt with this number: 1, 3, 9, 27, 81 minutes, then three hours. */
export function mailPauseMs(attempt: number): number {
  return Math.min(MINUTE_MS * 3 ** (attempt - 1), PAUSE_MAX_MS);
}
