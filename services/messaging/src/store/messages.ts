import { lockUntilCommit, type Queryable, type Tx } from '@tollgate/postgres';
import { isUuid } from '@tollgate/runtime/uuid';
import { apiAddress, formatAddress } from '../domain/address.js';
import type { Message } from '../domain/message.js';
import type { Scope } from '../domain/scope.js';
import * as sql from './gen/messages.js';

export interface MessageFilter {
  to?: string | undefined;
  threadId?: string | undefined;
  unreadOnly: boolean;
}

export interface MessageSearch extends MessageFilter {
  from: string | undefined;
  customerId: string | undefined;
  /** Only messages that arrived before this place. */
  before: bigint | undefined;
}

/** A message is sent once under its key, unless the first one is older than `since`. */
export interface Dedupe {
  key: string;
  since: Date;
}

type MessageRow = sql.InsertMessageRowRow;

const COLUMNS = 'id, project_id, customer_id, from_address, to_address, subject, body, thread_id, read_at, created_at';

/**
 * Restricts a statement to the scope whose values are `$1` to `$4`. A customer's client sees messages to or from the
 * customer's runs and the API; the mail between agents on its behalf is the project's.
 */
const IN_SCOPE = `project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)
  AND (NOT $3 OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = $4 OR to_address = $4)`;

function scopeValues(scope: Scope): unknown[] {
  const { projectId, customerId, isCustomerClient, api } = toScopeInput(scope);
  return [projectId, customerId, isCustomerClient, api];
}

/** Returns the values of a scope for statements in .sql files. */
export function toScopeInput({ projectId, customerId, isCustomerClient }: Scope) {
  return { projectId, customerId: customerId ?? null, isCustomerClient, api: formatAddress(apiAddress(projectId)) };
}

/** Inserts the message, or returns the message that an earlier call sent under the same key. */
export async function insertMessage(db: Queryable, message: Message, dedupe?: Dedupe): Promise<Message> {
  const { projectId, customerId = null, bodyJson: body } = message;
  if (dedupe) {
    const expire =
      'UPDATE messages SET dedupe_key = NULL WHERE project_id = $1 AND dedupe_key = $2 AND created_at < $3';
    await db.query(expire, [projectId, dedupe.key, dedupe.since]);
  }
  const inserted = await sql.insertMessageRow(db, { ...message, customerId, body, dedupeKey: dedupe?.key ?? null });
  if (inserted) return toMessage(inserted);
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
  const text = `SELECT ${COLUMNS} FROM messages WHERE ${IN_SCOPE} AND id = $5`;
  return (await readMessages(db, text, [...scopeValues(scope), id]))[0];
}

/** Returns the oldest message of a thread that the scope can see. */
export async function findThreadStart(db: Queryable, scope: Scope, threadId: string): Promise<Message | undefined> {
  const text = `SELECT ${COLUMNS} FROM messages WHERE ${IN_SCOPE} AND thread_id = $5 ORDER BY seq LIMIT 1`;
  return (await readMessages(db, text, [...scopeValues(scope), threadId]))[0];
}

/** Returns messages in the order of their arrival. */
export async function listMessages(
  db: Queryable,
  scope: Scope,
  { to, threadId, unreadOnly, after }: MessageFilter & { after: bigint | undefined },
  { take, skip }: { take: number; skip: number },
): Promise<Message[]> {
  const filter = { to: to ?? null, threadId: threadId ?? null, unreadOnly, after: after ?? null };
  const rows = await sql.listMessagesInOrder(db, { ...toScopeInput(scope), ...filter, take, skip });
  return rows.map(toMessage);
}

/** Returns the latest messages, newest first. */
export async function searchMessages(
  db: Queryable,
  scope: Scope,
  { to, from, threadId, customerId, unreadOnly, before }: MessageSearch,
  limit: number,
): Promise<Message[]> {
  const filter = { to: to ?? null, from: from ?? null, threadId: threadId ?? null, ofCustomer: customerId ?? null };
  const place = { unreadOnly, before: before ?? null, limit };
  const rows = await sql.listNewestMessages(db, { ...toScopeInput(scope), ...filter, ...place });
  return rows.map(toMessage);
}

/** Returns the place of a message in the order of arrival. */
export async function findMessagePlace(db: Queryable, scope: Scope, id: string): Promise<bigint | undefined> {
  if (!isUuid(id)) return undefined;
  const text = `SELECT seq FROM messages WHERE ${IN_SCOPE} AND id = $5`;
  const { rows } = await db.query<{ seq: bigint }>(text, [...scopeValues(scope), id]);
  return rows[0]?.seq;
}

/** Makes concurrent inbox calls with the same key wait until the transaction ends. */
export async function lockReadKey(tx: Tx, { projectId }: Scope, readKey: string): Promise<void> {
  await lockUntilCommit(tx, `${projectId}/${readKey}`);
}

/** Returns what an earlier inbox call with this key took, oldest first. */
export async function listTakenMessages(tx: Tx, scope: Scope, to: string, readKey: string): Promise<Message[]> {
  const text = `SELECT ${COLUMNS} FROM messages WHERE ${IN_SCOPE} AND to_address = $5 AND read_key = $6 ORDER BY seq`;
  return readMessages(tx, text, [...scopeValues(scope), to, readKey]);
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
  const reading = { to, limit, at, readKey: readKey ?? null };
  const rows = await sql.markOldestUnread(db, { projectId, customerId: customerId ?? null, ...reading });
  return rows.map(toMessage);
}

/** Sets the time of the first reading; keeps an earlier one. Returns false if the scope has no such message. */
export async function setMessageRead(db: Queryable, scope: Scope, id: string, at: Date): Promise<boolean> {
  if (!isUuid(id)) return false;
  const text = `UPDATE messages SET read_at = coalesce(read_at, $5) WHERE ${IN_SCOPE} AND id = $6`;
  const { rowCount } = await db.query(text, [...scopeValues(scope), at, id]);
  return rowCount === 1;
}

/** Moves what the project itself sent to a customer's run into that customer's scope. */
export async function assignMailboxToCustomer(
  db: Queryable,
  projectId: string,
  to: string,
  customerId: string,
): Promise<void> {
  const text = 'UPDATE messages SET customer_id = $3 WHERE project_id = $1 AND to_address = $2 AND customer_id IS NULL';
  await db.query(text, [projectId, to, customerId]);
}

async function readMessages(db: Queryable, text: string, values: unknown[]): Promise<Message[]> {
  return (await db.query<MessageRow>(text, values)).rows.map(toMessage);
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
