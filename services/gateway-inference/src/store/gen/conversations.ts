// Generated from conversations.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, textArray } from '@tollgate/postgres/columns';

export interface InsertConversationRowInput {
  id: string;
  projectId: string;
  customerId: string | null;
  metadata: string;
  createdAt: Date;
  expiresAt: Date;
}

export interface InsertConversationRowRow {
  id: string;
  createdAt: Date;
  metadata: string;
  items: number;
  bytes: bigint;
}

const INSERT_CONVERSATION_ROW = `
  INSERT INTO conversations (id, project_id, customer_id, metadata, next_position, items, bytes, created_at, expires_at)
  VALUES ($1, $2, $3, $4, 0, 0, 0, $5, $6)
  RETURNING id, created_at AS "createdAt", metadata, items, bytes`;

export async function insertConversationRow(db: Queryable, input: InsertConversationRowInput): Promise<InsertConversationRowRow | undefined> {
  const { rows } = await db.query<InsertConversationRowRow>({
    name: 'insert_conversation_row',
    text: INSERT_CONVERSATION_ROW,
    values: [
      input.id,
      input.projectId,
      input.customerId,
      input.metadata,
      input.createdAt,
      input.expiresAt,
    ],
  });
  return rows[0];
}

export interface DeleteConversationsOfCallerInput {
  projectId: string;
  callerId: string;
  responsesMax: bigint | number;
  bytesMax: string | bigint | number;
  limit: bigint | number;
}

const DELETE_CONVERSATIONS_OF_CALLER = `
  DELETE FROM conversations WHERE id = ANY (ARRAY(
    SELECT id FROM (
      SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS total FROM conversations
      WHERE project_id = $1 AND coalesce(customer_id, project_id) = $2
      WINDOW newest AS (ORDER BY expires_at DESC, id ROWS UNBOUNDED PRECEDING)) ranked
    WHERE place > $3 OR total > $4 ORDER BY place DESC LIMIT $5))`;

/** Deletes those beyond the limits, the ones used longest ago first. */
export async function deleteConversationsOfCaller(db: Queryable, input: DeleteConversationsOfCallerInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'delete_conversations_of_caller',
    text: DELETE_CONVERSATIONS_OF_CALLER,
    values: [
      input.projectId,
      input.callerId,
      input.responsesMax,
      input.bytesMax,
      input.limit,
    ],
  });
  return rowCount ?? 0;
}

/** A row of `items`. */
export interface InsertConversationItemsItemsRow {
  itemId: string;
  item: string;
  bytes: number;
  place: number;
}

export interface InsertConversationItemsInput {
  conversationId: string;
  first: number;
  sourceId: string;
  items: readonly InsertConversationItemsItemsRow[];
}

const INSERT_CONVERSATION_ITEMS = `
  WITH added AS (
    INSERT INTO conversation_items (conversation_id, position, item_id, item, bytes, source_id)
    SELECT $1, $2::int + place, item_id, item, bytes, $3 FROM (SELECT nth.item_id, nth.item, ($6::bigint[])[nth.i][1]::int AS bytes, ($6::bigint[])[nth.i][2]::int AS place FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS nth (item_id, item, i)) AS made
    RETURNING bytes
  )
  UPDATE conversations
  SET items = items + (SELECT count(*) FROM added), bytes = bytes + (SELECT coalesce(sum(bytes), 0) FROM added)
  WHERE id = $1`;

export async function insertConversationItems(db: Queryable, input: InsertConversationItemsInput): Promise<void> {
  await db.query({
    name: 'insert_conversation_items',
    text: INSERT_CONVERSATION_ITEMS,
    values: [
      input.conversationId,
      input.first,
      input.sourceId,
      textArray(input.items.map((r) => r.itemId)),
      textArray(input.items.map((r) => r.item)),
      bigintArray(input.items, [(r) => r.bytes, (r) => r.place]),
    ],
  });
}
