// Generated from mails.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertQueuedMailInput {
  id: string;
  kind: string;
  recipient: string;
  subjectId: string | null;
  baseUrl: string;
  createdAt: Date;
  expiresAt: Date;
  details: string | null;
}

const INSERT_QUEUED_MAIL = `
  INSERT INTO mails (id, kind, recipient, subject_id, base_url, created_at, expires_at, due_at, details)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $6, $8)`;

export async function insertQueuedMail(db: Queryable, input: InsertQueuedMailInput): Promise<void> {
  await db.query({
    name: 'insert_queued_mail',
    text: INSERT_QUEUED_MAIL,
    values: [
      input.id,
      input.kind,
      input.recipient,
      input.subjectId,
      input.baseUrl,
      input.createdAt,
      input.expiresAt,
      input.details,
    ],
  });
}

export interface CountMailsBeforeInput {
  kind: string;
  emailKey: string;
  since: Date;
  id: string;
  createdAt: Date;
}

export interface CountMailsBeforeRow {
  count: number;
}

const COUNT_MAILS_BEFORE = `
  SELECT count(*)::int AS "count" FROM mails
  WHERE kind = $1 AND lower(trim(recipient)) = $2 AND created_at > $3 AND id <> $4
    AND (outcome = 'sent' OR (outcome IS NULL AND (created_at, id) < ($5, $4)))`;

export async function countMailsBefore(db: Queryable, input: CountMailsBeforeInput): Promise<CountMailsBeforeRow | undefined> {
  const { rows } = await db.query<CountMailsBeforeRow>({
    name: 'count_mails_before',
    text: COUNT_MAILS_BEFORE,
    values: [
      input.kind,
      input.emailKey,
      input.since,
      input.id,
      input.createdAt,
    ],
  });
  return rows[0];
}
