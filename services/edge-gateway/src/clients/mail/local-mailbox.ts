import type { Queryable } from '@tollgate/postgres';
import type { Mail } from '../../domain/mail/mail.js';
import { keepMailText } from '../../store/mails.js';
import type { Mailer } from './mailer.js';

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
