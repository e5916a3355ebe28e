import type { Queryable, Tx } from '@tollgate/postgres';
import type { NewItem } from '../domain/conversation.js';
import { insertConversationItems } from './gen/conversations.js';

/** What clients read of an item. */
export type StoredItem = Pick<NewItem, 'itemId' | 'item'>;

const COLUMNS = 'item_id AS "itemId", item';

/** Claims the append of a source. Returns false if it has been made, or if the source has been superseded. */
export async function claimAppend(tx: Tx, sourceId: string, key: string, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO conversation_appends (source_id, conversation_id, is_discarded, created_at)
     VALUES ($1, $2, false, $3) ON CONFLICT (source_id) DO NOTHING`,
    [sourceId, key, now],
  );
  return rowCount === 1;
}

/**
 * Takes the next positions of a conversation and renews it. Until the transaction ends, other appends wait, so that each has
 * its items in a row. Returns the first position; undefined if the conversation does not exist any more.
 */
export async function takePositions(
  tx: Tx,
  key: string,
  { count, expiresAt }: { count: number; expiresAt: Date },
): Promise<number | undefined> {
  const { rows } = await tx.query<{ first: number }>(
    `UPDATE conversations SET next_position = next_position + $2, expires_at = greatest(expires_at, $3)
      WHERE id = $1 RETURNING next_position - $2 AS first`,
    [key, count, expiresAt],
  );
  return rows[0]?.first;
}

/** Returns which of these ids items of the conversation have. */
export async function findTakenIds(db: Queryable, key: string, itemIds: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ itemId: string }>(
    'SELECT item_id AS "itemId" FROM conversation_items WHERE conversation_id = $1 AND item_id = ANY ($2::text[])',
    [key, itemIds],
  );
  return rows.map(({ itemId }) => itemId);
}

export async function insertItems(
  tx: Tx,
  key: string,
  { sourceId, first, items }: { sourceId: string; first: number; items: readonly NewItem[] },
): Promise<void> {
  const rows = items.map((item, place) => ({ ...item, place }));
  await insertConversationItems(tx, { conversationId: key, sourceId, first, items: rows });
}

/** Returns all items, oldest first. */
export async function readItems(db: Queryable, key: string, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ item: string }>(
    'SELECT item FROM conversation_items WHERE conversation_id = $1 ORDER BY position LIMIT $2',
    [key, limit],
  );
  return rows.map(({ item }) => item);
}

export async function findPosition(db: Queryable, key: string, itemId: string): Promise<number | undefined> {
  const { rows } = await db.query<{ position: number }>(
    'SELECT position FROM conversation_items WHERE conversation_id = $1 AND item_id = $2',
    [key, itemId],
  );
  return rows[0]?.position;
}

/** Returns a page of items after a position. */
export async function listItems(
  db: Queryable,
  key: string,
  page: { after: number | undefined; limit: number; isDescending: boolean },
): Promise<StoredItem[]> {
  const { after, limit, isDescending } = page;
  const [beyond, order] = isDescending ? ['<', 'DESC'] : ['>', 'ASC'];
  const { rows } = await db.query<StoredItem>(
    `SELECT ${COLUMNS} FROM conversation_items
      WHERE conversation_id = $1 AND ($2::int IS NULL OR position ${beyond} $2) ORDER BY position ${order} LIMIT $3`,
    [key, after ?? null, limit],
  );
  return rows;
}

/** Returns the items that a source has added, oldest first. */
export async function listAddedItems(db: Queryable, key: string, sourceId: string): Promise<StoredItem[]> {
  const { rows } = await db.query<StoredItem>(
    `SELECT ${COLUMNS} FROM conversation_items WHERE conversation_id = $1 AND source_id = $2 ORDER BY position`,
    [key, sourceId],
  );
  return rows;
}

export async function findItem(db: Queryable, key: string, itemId: string): Promise<StoredItem | undefined> {
  const { rows } = await db.query<StoredItem>(
    `SELECT ${COLUMNS} FROM conversation_items WHERE conversation_id = $1 AND item_id = $2`,
    [key, itemId],
  );
  return rows[0];
}

/** Deletes one item. Returns false if there is none. */
export async function deleteItem(db: Queryable, key: string, itemId: string): Promise<boolean> {
  return (await remove(db, key, 'item_id = $2', itemId)) > 0;
}

/**
 * Forbids a source to add items, and deletes those that it has added: its client gets the answer of another attempt.
 * Returns how many were deleted.
 */
export async function discardAppend(tx: Tx, sourceId: string, now: Date): Promise<number> {
  const { rows } = await tx.query<{ key: string | null }>(
    `INSERT INTO conversation_appends (source_id, conversation_id, is_discarded, created_at) VALUES ($1, NULL, true, $2)
     ON CONFLICT (source_id) DO UPDATE SET is_discarded = true RETURNING conversation_id AS key`,
    [sourceId, now],
  );
  const key = rows[0]?.key;
  return key ? remove(tx, key, 'source_id = $2', sourceId) : 0;
}

/** The conversation's row is locked first, in the order of appends. */
async function remove(db: Queryable, key: string, where: string, value: string): Promise<number> {
  const { rows } = await db.query<{ removed: number }>(
    `WITH locked AS (SELECT id FROM conversations WHERE id = $1 FOR UPDATE),
       removed AS (DELETE FROM conversation_items WHERE conversation_id IN (SELECT id FROM locked) AND ${where} RETURNING bytes),
       total AS (SELECT count(*)::int AS items, coalesce(sum(bytes), 0) AS bytes FROM removed)
     UPDATE conversations c SET items = c.items - total.items, bytes = c.bytes - total.bytes FROM total
      WHERE c.id = $1 AND total.items > 0 RETURNING total.items AS removed`,
    [key, value],
  );
  return rows[0]?.removed ?? 0;
}
