import type { Queryable } from '@tollgate/postgres';
import type { Caller } from '../domain/stored-response.js';
import { deleteConversationsOfCaller, insertConversationRow } from './gen/conversations.js';

export interface Conversation {
  id: string;
  createdAt: Date;
  /** JSON. */
  metadata: string;
  items: number;
  bytes: number;
}

interface Row extends Omit<Conversation, 'bytes'> {
  bytes: bigint;
}

const COLUMNS = 'id, created_at AS "createdAt", metadata, items, bytes';

/**
 * The conversation with a key, if the caller can read it; `$1` to `$4`: project, customer, key, now. A project sees those of
 * its customers, a customer only its own.
 */
const READABLE = 'id = $3 AND project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2) AND expires_at > $4';

export async function insertConversation(
  db: Queryable,
  conversation: Caller & Pick<Conversation, 'id' | 'createdAt' | 'metadata'> & { expiresAt: Date },
): Promise<Conversation> {
  return toConversation((await insertConversationRow(db, conversation))!);
}

export async function findConversation(
  db: Queryable,
  { projectId, customerId }: Caller,
  key: string,
  now: Date,
): Promise<Conversation | undefined> {
  const { rows } = await db.query<Row>(`SELECT ${COLUMNS} FROM conversations WHERE ${READABLE}`, [
    projectId,
    customerId,
    key,
    now,
  ]);
  return rows[0] && toConversation(rows[0]);
}

export async function updateMetadata(
  db: Queryable,
  { projectId, customerId }: Caller,
  key: string,
  change: { metadata: string; now: Date; expiresAt: Date },
): Promise<Conversation | undefined> {
  const { rows } = await db.query<Row>(
    `UPDATE conversations SET metadata = $5, expires_at = $6 WHERE ${READABLE} RETURNING ${COLUMNS}`,
    [projectId, customerId, key, change.now, change.metadata, change.expiresAt],
  );
  return rows[0] && toConversation(rows[0]);
}

/** Deletes a conversation with its items. Returns whether the caller had it. */
export async function deleteConversation(
  db: Queryable,
  { projectId, customerId }: Caller,
  key: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(`DELETE FROM conversations WHERE ${READABLE}`, [projectId, customerId, key, now]);
  return rowCount === 1;
}

/** Deletes expired conversations, and what is remembered of appends before `appendsBefore`. Returns how many. */
export async function pruneConversations(
  db: Queryable,
  { now, appendsBefore, limit }: { now: Date; appendsBefore: Date; limit: number },
): Promise<number> {
  const expired = await db.query(
    `DELETE FROM conversations WHERE id = ANY (ARRAY(
       SELECT id FROM conversations WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [now, limit],
  );
  const appends = await db.query(
    `DELETE FROM conversation_appends WHERE source_id = ANY (ARRAY(
       SELECT source_id FROM conversation_appends WHERE created_at <= $1 ORDER BY created_at LIMIT $2
          FOR UPDATE SKIP LOCKED))`,
    [appendsBefore, limit],
  );
  return (expired.rowCount ?? 0) + (appends.rowCount ?? 0);
}

/** Deletes the conversations that a caller has beyond its limits, those used longest ago first. Returns how many. */
export async function deleteConversationsBeyond(
  db: Queryable,
  { projectId, customerId }: Caller,
  limits: { responsesMax: number; bytesMax: number },
  limit: number,
): Promise<number> {
  return deleteConversationsOfCaller(db, { projectId, callerId: customerId ?? projectId, ...limits, limit });
}

function toConversation(row: Row): Conversation {
  return { ...row, bytes: Number(row.bytes) };
}
