import type { Queryable, Tx } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import { apiAddress, formatAddress } from '../domain/address.js';
import type { Message } from '../domain/message.js';
import type { Scope } from '../domain/scope.js';

export interface MessageFilter {
  to?: string | undefined;
  threadId?: string | undefined;
  unreadOnly: boolean;
}

export interface MessageSearch extends MessageFilter {
  from: string | undefined;
  customerId: string | undefined;
  /** Only messages that arrived before this place. */
  before: string | undefined;
}

/** A message is sent once under its key, unless the first one is older than `since`. */
export interface Dedupe {
  key: string;
  since: Date;
}

interface MessageRow {
  id: string;
  project_id: string;
  customer_id: string | null;
  from_address: string;
  to_address: string;
  subject: string;
  body: string;
  thread_id: string;
  read_at: Date | null;
  created_at: Date;
}

const COLUMNS = 'id, project_id, customer_id, from_address, to_address, subject, body, thread_id, read_at, created_at';

/**
 * Restricts a statement to the scope whose values are `$1` to `$4`. A customer's client sees messages to or from the
 * customer's runs and the API; the mail between agents on its behalf is the project's.
 */
export const IN_SCOPE = `project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)
  AND (NOT $3 OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = $4 OR to_address = $4)`;

export function scopeValues({ projectId, customerId, isCustomerClient }: Scope): unknown[] {
  return [projectId, customerId ?? null, isCustomerClient, formatAddress(apiAddress(projectId))];
}

/** Inserts the message, or returns the message that an earlier call sent under the same key. */
export async function insertMessage(db: Queryable, message: Message, dedupe?: Dedupe): Promise<Message> {
  const { id, projectId, customerId, from, to, subject, bodyJson, threadId, createdAt } = message;
  if (dedupe) {
    const expire =
      'UPDATE messages SET dedupe_key = NULL WHERE project_id = $1 AND dedupe_key = $2 AND created_at < $3';
    await db.query(expire, [projectId, dedupe.key, dedupe.since]);
  }
  const { rows } = await db.query<MessageRow>(
    `INSERT INTO messages
       (id, project_id, customer_id, from_address, to_address, subject, body, thread_id, created_at, dedupe_key)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (project_id, dedupe_key) DO NOTHING RETURNING ${COLUMNS}`,
    [id, projectId, customerId, from, to, subject, bodyJson, threadId, createdAt, dedupe?.key],
  );
  if (rows[0]) return toMessage(rows[0]);
  const earlier = await db.query<MessageRow>(
    `SELECT ${COLUMNS} FROM messages WHERE project_id = $1 AND dedupe_key = $2`,
    [projectId, dedupe?.key],
  );
  const [row] = earlier.rows;
  if (!row) throw new Error('the message of the dedupe key expired between two statements');
  return toMessage(row);
}

export async function findMessage(db: Queryable, scope: Scope, id: string): Promise<Message | undefined> {
  if (!isUuid(id)) return undefined;
  const sql = `SELECT ${COLUMNS} FROM messages WHERE ${IN_SCOPE} AND id = $5`;
  return (await readMessages(db, sql, [...scopeValues(scope), id]))[0];
}

/** Returns the oldest message of a thread that the scope can see. */
export async function findThreadStart(db: Queryable, scope: Scope, threadId: string): Promise<Message | undefined> {
  const sql = `SELECT ${COLUMNS} FROM messages WHERE ${IN_SCOPE} AND thread_id = $5 ORDER BY seq LIMIT 1`;
  return (await readMessages(db, sql, [...scopeValues(scope), threadId]))[0];
}

/** Returns messages in the order of their arrival. */
export async function listMessages(
  db: Queryable,
  scope: Scope,
  { to, threadId, unreadOnly, after }: MessageFilter & { after: string | undefined },
  { take, skip }: { take: number; skip: number },
): Promise<Message[]> {
  const values = [...scopeValues(scope), to, threadId, unreadOnly, take, skip];
  const continued = after === undefined ? '' : ` AND seq > $${values.push(after)}`;
  const sql = `SELECT ${COLUMNS} FROM messages WHERE ${IN_SCOPE}
    AND ($5::text IS NULL OR to_address = $5) AND ($6::uuid IS NULL OR thread_id = $6) AND (NOT $7 OR read_at IS NULL)
    ${continued} ORDER BY seq LIMIT $8 OFFSET $9`;
  return readMessages(db, sql, values);
}

/** Returns the latest messages, newest first. Only the conditions that are asked for are in the statement: each has an index. */
export async function searchMessages(
  db: Queryable,
  scope: Scope,
  { to, from, threadId, customerId, unreadOnly, before }: MessageSearch,
  limit: number,
): Promise<Message[]> {
  const values = scopeValues(scope);
  const compare = (condition: string, value: string | undefined) =>
    value === undefined ? '' : ` AND ${condition} $${values.push(value)}`;
  const conditions = [
    compare('to_address =', to),
    compare('from_address =', from),
    compare('thread_id =', threadId),
    compare('customer_id =', customerId),
    compare('seq <', before),
    unreadOnly ? ' AND read_at IS NULL' : '',
  ].join('');
  const sql = `SELECT ${COLUMNS} FROM messages WHERE ${IN_SCOPE}${conditions} ORDER BY seq DESC LIMIT $${values.push(limit)}`;
  return readMessages(db, sql, values);
}

/** Returns the place of a message in the order of arrival. */
export async function findMessagePlace(db: Queryable, scope: Scope, id: string): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  const sql = `SELECT seq FROM messages WHERE ${IN_SCOPE} AND id = $5`;
  const { rows } = await db.query<{ seq: string }>(sql, [...scopeValues(scope), id]);
  return rows[0]?.seq;
}

/** Makes concurrent inbox calls with the same key wait until the transaction ends. */
export async function lockReadKey(tx: Tx, { projectId }: Scope, readKey: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${projectId}/${readKey}`]);
}

/** Returns what an earlier inbox call with this key took, oldest first. */
export async function listTakenMessages(tx: Tx, scope: Scope, to: string, readKey: string): Promise<Message[]> {
  const sql = `SELECT ${COLUMNS} FROM messages WHERE ${IN_SCOPE} AND to_address = $5 AND read_key = $6 ORDER BY seq`;
  return readMessages(tx, sql, [...scopeValues(scope), to, readKey]);
}

/**
 * Marks the oldest unread messages of a mailbox as read and returns them, oldest first. A concurrent call skips the rows
 * that this one locks, so no message is returned twice.
 */
export async function takeUnreadMessages(
  db: Queryable,
  { projectId, customerId }: Scope,
  { to, limit, at, readKey }: { to: string; limit: number; at: Date; readKey: string | undefined },
): Promise<Message[]> {
  const sql = `
    WITH taken AS (
      UPDATE messages SET read_at = $1, read_key = $2
      WHERE id IN (
        SELECT id FROM messages
        WHERE project_id = $3 AND to_address = $4 AND read_at IS NULL AND ($5::uuid IS NULL OR customer_id = $5)
        ORDER BY seq LIMIT $6 FOR UPDATE SKIP LOCKED
      )
      RETURNING ${COLUMNS}, seq
    )
    SELECT ${COLUMNS} FROM taken ORDER BY seq`;
  return readMessages(db, sql, [at, readKey, projectId, to, customerId, limit]);
}

/** Sets the time of the first reading; keeps an earlier one. Returns false if the scope has no such message. */
export async function setMessageRead(db: Queryable, scope: Scope, id: string, at: Date): Promise<boolean> {
  if (!isUuid(id)) return false;
  const sql = `UPDATE messages SET read_at = coalesce(read_at, $5) WHERE ${IN_SCOPE} AND id = $6`;
  const { rowCount } = await db.query(sql, [...scopeValues(scope), at, id]);
  return rowCount === 1;
}

/** Moves what the project itself sent to a customer's run into that customer's scope. */
export async function assignMailboxToCustomer(
  db: Queryable,
  projectId: string,
  to: string,
  customerId: string,
): Promise<void> {
  const sql = 'UPDATE messages SET customer_id = $3 WHERE project_id = $1 AND to_address = $2 AND customer_id IS NULL';
  await db.query(sql, [projectId, to, customerId]);
}

async function readMessages(db: Queryable, sql: string, values: unknown[]): Promise<Message[]> {
  return (await db.query<MessageRow>(sql, values)).rows.map(toMessage);
}

function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    projectId: row.project_id,
    customerId: row.customer_id ?? undefined,
    from: row.from_address,
    to: row.to_address,
    subject: row.subject,
    bodyJson: row.body,
    threadId: row.thread_id,
    readAt: row.read_at ?? undefined,
    createdAt: row.created_at,
  };
}
