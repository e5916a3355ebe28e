import type { Mail } from '../../domain/mail/mail.js';

/** Accepts a mail for delivery. */
export interface Mailer {
  /** @throws MailRefused when another attempt is useless; any other error when it may help */
  send(mail: Mail): Promise<void>;
}

/** The mail server has refused a mail for good, for example because its recipient does not exist. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}
