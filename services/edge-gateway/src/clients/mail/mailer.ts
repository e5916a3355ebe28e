import type { Queryable } from '@tollgate/postgres';
import type { Mail } from '../../domain/mail/mail.js';
import { keepMailText } from '../../store/mails.js';

/** Accepts a mail for delivery. */
export interface Mailer {
  /** @throws MailRefused when another attempt is useless; any other error when it may help */
  send(mail: Mail): Promise<void>;
}

/** The mail server has refused a mail for good, for example because its recipient does not exist. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

/** Keeps mails for a page of this installation instead of sending them. Only in development: they contain links. */
export class LocalMailbox implements Mailer {
  readonly #db: Queryable;

  constructor(db: Queryable) {
    this.#db = db;
  }

  async send({ id, subject, text }: Mail): Promise<void> {
    await keepMailText(this.#db, id, { subject, text });
  }
}
