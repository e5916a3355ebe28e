// Generated from messages.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertMessageRowInput {
  id: string;
  projectId: string;
  customerId: string | null;
  from: string;
  to: string;
  subject: string;
  body: string;
  threadId: string;
  createdAt: Date;
  dedupeKey: string | null;
}

export interface InsertMessageRowRow {
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

const INSERT_MESSAGE_ROW = `
  INSERT INTO messages (id, project_id, customer_id, from_address, to_address, subject, body, thread_id, created_at, dedupe_key)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (project_id, dedupe_key) DO NOTHING
  RETURNING id, project_id, customer_id, from_address, to_address, subject, body, thread_id, read_at, created_at`;

/** Returns nothing if the project has a message with the dedupe key. */
export async function insertMessageRow(db: Queryable, input: InsertMessageRowInput): Promise<InsertMessageRowRow | undefined> {
  const { rows } = await db.query<InsertMessageRowRow>({
    name: 'insert_message_row',
    text: INSERT_MESSAGE_ROW,
    values: [
      input.id,
      input.projectId,
      input.customerId,
      input.from,
      input.to,
      input.subject,
      input.body,
      input.threadId,
      input.createdAt,
      input.dedupeKey,
    ],
  });
  return rows[0];
}

export interface ListMessagesInOrderInput {
  projectId: string;
  customerId: string | null;
  isCustomerClient: boolean;
  api: string;
  to: string | null;
  threadId: string | null;
  unreadOnly: boolean;
  after: bigint | number | null;
  take: bigint | number;
  skip: bigint | number;
}

export interface ListMessagesInOrderRow {
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

const LIST_MESSAGES_IN_ORDER = `
  SELECT id, project_id, customer_id, from_address, to_address, subject, body, thread_id, read_at, created_at
  FROM messages
  WHERE project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)
    AND (NOT $3 OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = $4 OR to_address = $4)
    AND ($5::text IS NULL OR to_address = $5) AND ($6::uuid IS NULL OR thread_id = $6)
    AND (NOT $7 OR read_at IS NULL) AND ($8::bigint IS NULL OR seq > $8)
  ORDER BY seq LIMIT $9 OFFSET $10`;

/** Is planned at each call: the plan depends on the filters */
export async function listMessagesInOrder(db: Queryable, input: ListMessagesInOrderInput): Promise<ListMessagesInOrderRow[]> {
  const { rows } = await db.query<ListMessagesInOrderRow>({
    text: LIST_MESSAGES_IN_ORDER,
    values: [
      input.projectId,
      input.customerId,
      input.isCustomerClient,
      input.api,
      input.to,
      input.threadId,
      input.unreadOnly,
      input.after,
      input.take,
      input.skip,
    ],
  });
  return rows;
}

export interface ListNewestMessagesInput {
  projectId: string;
  customerId: string | null;
  isCustomerClient: boolean;
  api: string;
  to: string | null;
  from: string | null;
  threadId: string | null;
  ofCustomer: string | null;
  unreadOnly: boolean;
  before: bigint | number | null;
  limit: bigint | number;
}

export interface ListNewestMessagesRow {
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

const LIST_NEWEST_MESSAGES = `
  SELECT id, project_id, customer_id, from_address, to_address, subject, body, thread_id, read_at, created_at
  FROM messages
  WHERE project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)
    AND (NOT $3 OR from_address LIKE 'run:%' OR to_address LIKE 'run:%' OR from_address = $4 OR to_address = $4)
    AND ($5::text IS NULL OR to_address = $5) AND ($6::text IS NULL OR from_address = $6)
    AND ($7::uuid IS NULL OR thread_id = $7) AND ($8::uuid IS NULL OR customer_id = $8)
    AND (NOT $9 OR read_at IS NULL) AND ($10::bigint IS NULL OR seq < $10)
  ORDER BY seq DESC LIMIT $11`;

/** Is planned at each call: the plan depends on the filters, each of which has an index */
export async function listNewestMessages(db: Queryable, input: ListNewestMessagesInput): Promise<ListNewestMessagesRow[]> {
  const { rows } = await db.query<ListNewestMessagesRow>({
    text: LIST_NEWEST_MESSAGES,
    values: [
      input.projectId,
      input.customerId,
      input.isCustomerClient,
      input.api,
      input.to,
      input.from,
      input.threadId,
      input.ofCustomer,
      input.unreadOnly,
      input.before,
      input.limit,
    ],
  });
  return rows;
}

export interface MarkOldestUnreadInput {
  at: Date;
  readKey: string | null;
  projectId: string;
  to: string;
  customerId: string | null;
  limit: bigint | number;
}

export interface MarkOldestUnreadRow {
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

const MARK_OLDEST_UNREAD = `
  WITH taken AS (
    UPDATE messages SET read_at = $1, read_key = $2
    WHERE id IN (
      SELECT id FROM messages
      WHERE project_id = $3 AND to_address = $4 AND read_at IS NULL
        AND ($5::uuid IS NULL OR customer_id = $5)
      ORDER BY seq LIMIT $6 FOR UPDATE SKIP LOCKED)
    RETURNING id, project_id, customer_id, from_address, to_address, subject, body, thread_id, read_at, created_at, seq
  )
  SELECT id AS "id", project_id AS "project_id", customer_id, from_address AS "from_address", to_address AS "to_address",
    subject AS "subject", body AS "body", thread_id AS "thread_id", read_at, created_at AS "created_at"
  FROM taken ORDER BY seq`;

/** Marks the oldest unread messages of a mailbox as read; skips rows that a concurrent call has locked. */
export async function markOldestUnread(db: Queryable, input: MarkOldestUnreadInput): Promise<MarkOldestUnreadRow[]> {
  const { rows } = await db.query<MarkOldestUnreadRow>({
    name: 'mark_oldest_unread',
    text: MARK_OLDEST_UNREAD,
    values: [
      input.at,
      input.readKey,
      input.projectId,
      input.to,
      input.customerId,
      input.limit,
    ],
  });
  return rows;
}
