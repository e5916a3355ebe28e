import { createTransport, type Transporter } from 'nodemailer';
import type { Mail } from '../../domain/mail/mail.js';
import { type Mailer, MailRefused } from './mailer.js';

export interface SmtpSettings {
  /** `smtp://user:password@host:587`, or `smtps://…` for TLS from the start. */
  url: string;
  from: string;
  /** For connecting, for the greeting, and for each silence of the server. */
  timeoutMs?: number;
  /** For sending one mail; less than its lease. */
  sendTimeoutMs?: number;
}

const TIMEOUT_MS = 20_000;
const SEND_TIMEOUT_MS = 100_000;

/** Sends mails through an SMTP server. */
export class SmtpMailer implements Mailer {
  readonly #transport: Transporter;
  readonly #from: string;
  readonly #sendTimeoutMs: number;

  constructor({ url, from, timeoutMs = TIMEOUT_MS, sendTimeoutMs = SEND_TIMEOUT_MS }: SmtpSettings) {
    this.#from = from;
    this.#sendTimeoutMs = sendTimeoutMs;
    this.#transport = createTransport(
      // A password is never sent in the clear.
      {
        url,
        requireTLS: new URL(url).username !== '',
        connectionTimeout: timeoutMs,
        greetingTimeout: timeoutMs,
        socketTimeout: timeoutMs,
      },
      { from, disableFileAccess: true, disableUrlAccess: true },
    );
  }

  async send({ id, to, subject, text, html }: Mail): Promise<void> {
    const messageId = `<${id}@${/@([\w.-]+)/.exec(this.#from)?.[1] ?? 'tollgate'}>`;
    try {
      // At its end the connection is closed.
      const signal = AbortSignal.timeout(this.#sendTimeoutMs);
      // As an object: text would be parsed as a list of addresses.
      await this.#transport.sendMail({ to: { name: '', address: to }, subject, text, html, messageId, signal });
    } catch (error) {
      if (isFinal(error)) throw new MailRefused('the mail server has refused the mail', { cause: error });
      throw error;
    }
  }
}

/** The statuses of SMTP from 500 are final; a wrong user or password can be corrected. */
function isFinal(error: unknown): boolean {
  const { responseCode = 0, code } = error as { responseCode?: number; code?: string };
  return responseCode >= 500 && code !== 'EAUTH';
}
