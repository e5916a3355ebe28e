import { lockUntilCommit, type Queryable } from '@tollgate/postgres';
import type { FailedTopUp, MailKind } from '../domain/mail/mail.js';
import { countMailsBefore, insertQueuedMail } from './gen/mails.js';

export interface QueuedMail {
  id: string;
  kind: MailKind;
  recipient: string;
  /** The invitation; null for other kinds. */
  subjectId: string | null;
  /** Set for an automatic top-up only. */
  details: FailedTopUp | null;
  /** URL of the console's host, for the link. */
  baseUrl: string;
  createdAt: Date;
  /** A later attempt is useless. */
  expiresAt: Date;
  /** Counts the present one. */
  attempts: number;
}

const COLUMNS = `id, kind, recipient, subject_id AS "subjectId", details, base_url AS "baseUrl", created_at AS "createdAt",
  expires_at AS "expiresAt", attempts`;

export async function insertMail(db: Queryable, mail: Omit<QueuedMail, 'attempts'>): Promise<void> {
  await insertQueuedMail(db, { ...mail, details: mail.details && JSON.stringify(mail.details) });
}

/** Takes the next mails. Other senders take them again when `leaseUntil` has passed without an outcome. */
export async function claimMails(db: Queryable, at: Date, leaseUntil: Date, limit: number): Promise<QueuedMail[]> {
  const { rows } = await db.query<QueuedMail>(
    `UPDATE mails SET attempts = attempts + 1, due_at = $2
      WHERE id = ANY (ARRAY(SELECT id FROM mails WHERE ended_at IS NULL AND due_at <= $1
                             ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED))
      RETURNING ${COLUMNS}`,
    [at, leaseUntil, limit],
  );
  return rows;
}

export type MailOutcome = 'sent' | 'dropped' | 'failed';

export async function endMail(db: Queryable, id: string, outcome: MailOutcome, at: Date): Promise<void> {
  await db.query('UPDATE mails SET ended_at = $3, outcome = $2 WHERE id = $1 AND ended_at IS NULL', [id, outcome, at]);
}

export async function postponeMail(db: Queryable, id: string, dueAt: Date): Promise<void> {
  await db.query('UPDATE mails SET due_at = $2 WHERE id = $1 AND ended_at IS NULL', [id, dueAt]);
}

/**
 * Returns how many mails of the same kind to an address, stored since then, count before this one: those that were sent, and
 * earlier ones that may still be. So mails that are sent at the same time do not all find room.
 */
export async function countEarlierMails(
  db: Queryable,
  mail: Pick<QueuedMail, 'id' | 'kind' | 'createdAt'>,
  emailKey: string,
  since: Date,
): Promise<number> {
  return (await countMailsBefore(db, { ...mail, emailKey, since }))!.count;
}

/**
 * Returns how many mails of a kind were stored for an address since then, sent or not. Other transactions that count the
 * same wait for the end of this one.
 */
export async function countMailsLocked(db: Queryable, kind: MailKind, emailKey: string, since: Date): Promise<number> {
  await lockUntilCommit(db, `mails ${kind} ${emailKey}`);
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM mails WHERE kind = $1 AND lower(trim(recipient)) = $2 AND created_at > $3`,
    [kind, emailKey, since],
  );
  return rows[0]!.count;
}

export interface LocalMail {
  recipient: string;
  subject: string;
  text: string;
  createdAt: Date;
}

/** Keeps a mail for the local mailbox. */
export async function keepMailText(db: Queryable, id: string, mail: { subject: string; text: string }): Promise<void> {
  await db.query('UPDATE mails SET subject = $2, text = $3 WHERE id = $1', [id, mail.subject, mail.text]);
}

/** Returns the mails of the local mailbox, newest first. */
export async function listLocalMails(db: Queryable, limit: number): Promise<LocalMail[]> {
  const { rows } = await db.query<LocalMail>(
    `SELECT recipient, subject, text, created_at AS "createdAt" FROM mails WHERE text IS NOT NULL
      ORDER BY created_at DESC, id LIMIT $1`,
    [limit],
  );
  return rows;
}
