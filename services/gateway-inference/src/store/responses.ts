import type { Queryable } from '@tollgate/postgres';
import type { Caller, StoredParts } from '../domain/stored-response.js';
import { deleteResponsesOfCaller, storeResponse } from './gen/responses.js';

export interface NewStoredResponse extends StoredParts, Caller {
  id: string;
  previousId: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** What clients read of a stored response. */
export interface StoredResponse {
  id: string;
  previousId: string | null;
  response: string;
  outputItems: string;
}

/** Items of one response of a chain. */
export interface ChainLink {
  id: string;
  previousId: string | null;
  inputItems: string;
  outputItems: string;
}

/**
 * The responses with an id that a caller can read; `$1` to `$4`: project, customer, id, now. A project sees those of its
 * customers, a customer only its own.
 */
const READABLE = `project_id = $1 AND response_id = $3 AND ($2::uuid IS NULL OR customer_id = $2)
  AND deleted_at IS NULL AND expires_at > $4`;

/** All responses up to `$1`, at most `$2`. */
const CHAIN = `WITH RECURSIVE chain AS (
    SELECT id, previous_id, bytes, 1 AS depth FROM stored_responses WHERE id = $1
    UNION ALL
    SELECT p.id, p.previous_id, p.bytes, chain.depth + 1 FROM chain JOIN stored_responses p ON p.id = chain.previous_id
     WHERE chain.depth < $2)`;

/**
 * Stores a response and keeps those that it continues as long as itself. Storing it again changes nothing. Returns false if its
 * attempt was superseded. The row of `conversation_appends` makes this wait for a concurrent discard, or the discard for this.
 */
export async function insertResponse(db: Queryable, response: NewStoredResponse, chainMax: number): Promise<boolean> {
  return (await storeResponse(db, { ...response, chainMax }))!.isKept;
}

export async function findResponse(
  db: Queryable,
  { projectId, customerId }: Caller,
  responseId: string,
  now: Date,
): Promise<StoredResponse | undefined> {
  const { rows } = await db.query<StoredResponse>(
    `SELECT id, previous_id AS "previousId", response, output_items AS "outputItems" FROM stored_responses
      WHERE ${READABLE} ORDER BY created_at DESC, id DESC LIMIT 1`,
    [projectId, customerId, responseId, now],
  );
  return rows[0];
}

/** Returns the number of responses and bytes of the chain that ends with this response. */
export async function measureChain(
  db: Queryable,
  id: string,
  linksMax: number,
): Promise<{ links: number; bytes: number; isWhole: boolean }> {
  const { rows } = await db.query<{ links: number; bytes: bigint; isWhole: boolean }>(
    `${CHAIN} SELECT count(*)::int AS links, coalesce(sum(bytes), 0)::bigint AS bytes,
        coalesce(bool_or(previous_id IS NULL), false) AS "isWhole" FROM chain`,
    [id, linksMax],
  );
  const { links, bytes, isWhole } = rows[0]!;
  return { links, bytes: Number(bytes), isWhole };
}

/** Returns the chain that ends with this response, oldest first. */
export async function readChain(db: Queryable, id: string, linksMax: number): Promise<ChainLink[]> {
  const { rows } = await db.query<ChainLink>(
    `${CHAIN} SELECT r.id, r.previous_id AS "previousId", r.input_items AS "inputItems", r.output_items AS "outputItems"
       FROM chain JOIN stored_responses r ON r.id = chain.id ORDER BY chain.depth DESC`,
    [id, linksMax],
  );
  return rows;
}

/** Where an output item is stored. */
export interface ItemPlace {
  itemId: string;
  /** The stored response that has it. */
  id: string;
  position: number;
  /** Bytes of that response's output items. */
  outputBytes: number;
}

/** Returns the places of the caller's output items with these ids; of several with one id, the newest. */
export async function findItemPlaces(
  db: Queryable,
  { projectId, customerId }: Caller,
  itemIds: readonly string[],
  now: Date,
): Promise<ItemPlace[]> {
  const { rows } = await db.query<ItemPlace>(
    `SELECT DISTINCT ON (i.item_id) i.item_id AS "itemId", r.id, i.position, octet_length(r.output_items) AS "outputBytes"
       FROM stored_response_items i JOIN stored_responses r ON r.id = i.stored_response_id
      WHERE i.item_id = ANY ($3::text[]) AND r.project_id = $1 AND ($2::uuid IS NULL OR r.customer_id = $2)
        AND r.deleted_at IS NULL AND r.expires_at > $4
      ORDER BY i.item_id, r.created_at DESC, r.id DESC`,
    [projectId, customerId, itemIds, now],
  );
  return rows;
}

/** Returns the output items of stored responses, as text: PostgreSQL's functions refuse JSON with `\u0000`. */
export async function readOutputs(
  db: Queryable,
  ids: readonly string[],
): Promise<Pick<ChainLink, 'id' | 'outputItems'>[]> {
  const { rows } = await db.query<Pick<ChainLink, 'id' | 'outputItems'>>(
    'SELECT id, output_items AS "outputItems" FROM stored_responses WHERE id = ANY ($1::uuid[])',
    [ids],
  );
  return rows;
}

/** Deletes the caller's responses with this id. Those that others continue are hidden. Returns false if there are none. */
export async function deleteResponses(
  db: Queryable,
  { projectId, customerId }: Caller,
  responseId: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(`UPDATE stored_responses SET deleted_at = $4 WHERE ${READABLE}`, [
    projectId,
    customerId,
    responseId,
    now,
  ]);
  await db.query(
    `DELETE FROM stored_responses r
      WHERE project_id = $1 AND response_id = $3 AND ($2::uuid IS NULL OR customer_id = $2)
        AND deleted_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM stored_responses next WHERE next.previous_id = r.id)`,
    [projectId, customerId, responseId],
  );
  return (rowCount ?? 0) > 0;
}

/** Deletes the response of a superseded attempt, which its client has never seen. */
export async function deleteAttempt(db: Queryable, projectId: string, id: string): Promise<void> {
  await db.query(
    `DELETE FROM stored_responses WHERE id = $1 AND project_id = $2
        AND NOT EXISTS (SELECT 1 FROM stored_responses next WHERE next.previous_id = $1)`,
    [id, projectId],
  );
}

/** Deletes expired responses, and deleted ones that no other continues. Returns how many. */
export async function pruneResponses(db: Queryable, now: Date, limit: number): Promise<number> {
  const expired = await db.query(
    `DELETE FROM stored_responses WHERE id = ANY (ARRAY(
       SELECT id FROM stored_responses WHERE kept_until <= $1 ORDER BY kept_until LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [now, limit],
  );
  const deleted = await db.query(
    `DELETE FROM stored_responses WHERE id = ANY (ARRAY(
       SELECT id FROM stored_responses r WHERE deleted_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM stored_responses next WHERE next.previous_id = r.id)
        ORDER BY deleted_at LIMIT $1 FOR UPDATE SKIP LOCKED))`,
    [limit],
  );
  return (expired.rowCount ?? 0) + (deleted.rowCount ?? 0);
}

/** Deletes what a caller has beyond its limits, the chains that were used longest ago first. Returns how many. */
export async function deleteBeyond(
  db: Queryable,
  { projectId, customerId }: Caller,
  limits: { responsesMax: number; bytesMax: number },
  limit: number,
): Promise<number> {
  return deleteResponsesOfCaller(db, { projectId, callerId: customerId ?? projectId, ...limits, limit });
}
