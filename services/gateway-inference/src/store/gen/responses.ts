// Generated from responses.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { bigintArray, textArray } from '@tollgate/postgres/columns';

/** A row of `output_ids`. */
export interface StoreResponseOutputIdsRow {
  position: number;
  itemId: string;
}

export interface StoreResponseInput {
  id: string;
  createdAt: Date;
  previousId: string | null;
  chainMax: number;
  expiresAt: Date;
  projectId: string;
  customerId: string | null;
  responseId: string;
  response: string;
  inputItems: string;
  outputItems: string;
  bytes: number;
  outputIds: readonly StoreResponseOutputIdsRow[];
}

export interface StoreResponseRow {
  isKept: boolean;
}

const STORE_RESPONSE = `
  WITH RECURSIVE claim AS (
    INSERT INTO conversation_appends AS a (source_id, conversation_id, is_discarded, created_at)
    VALUES ($1, NULL, false, $2)
    ON CONFLICT (source_id) DO UPDATE SET is_discarded = a.is_discarded
    RETURNING NOT is_discarded AS is_kept
  ),
  chain AS (
    SELECT id, previous_id, 1 AS depth FROM stored_responses WHERE id = $3
    UNION ALL
    SELECT p.id, p.previous_id, chain.depth + 1 FROM chain JOIN stored_responses p ON p.id = chain.previous_id
    WHERE chain.depth < $4
  ),
  renewed AS (
    UPDATE stored_responses SET kept_until = $5::timestamptz + interval '1 day'
    WHERE id IN (SELECT id FROM chain) AND kept_until < $5
  ),
  stored AS (
    INSERT INTO stored_responses (id, project_id, customer_id, response_id, previous_id, response, input_items, output_items, bytes,
      created_at, expires_at, kept_until)
    SELECT $1, $6, $7, $8, $3, $9, $10, $11, $12,
      $2, $5, $5
    FROM claim WHERE is_kept
    ON CONFLICT (id) DO NOTHING
    RETURNING id
  ),
  items AS (
    INSERT INTO stored_response_items (stored_response_id, position, item_id)
    SELECT stored.id, item.position, item.item_id FROM stored, (SELECT ($14::bigint[])[nth.i]::int AS position, nth.item_id FROM unnest($13::text[]) WITH ORDINALITY AS nth (item_id, i)) AS item
  )
  SELECT is_kept AS "isKept" FROM claim`;

/** Stores a response and keeps those that it continues as long as itself. */
export async function storeResponse(db: Queryable, input: StoreResponseInput): Promise<StoreResponseRow | undefined> {
  const { rows } = await db.query<StoreResponseRow>({
    name: 'store_response',
    text: STORE_RESPONSE,
    values: [
      input.id,
      input.createdAt,
      input.previousId,
      input.chainMax,
      input.expiresAt,
      input.projectId,
      input.customerId,
      input.responseId,
      input.response,
      input.inputItems,
      input.outputItems,
      input.bytes,
      textArray(input.outputIds.map((r) => r.itemId)),
      bigintArray(input.outputIds, [(r) => r.position]),
    ],
  });
  return rows[0];
}

export interface DeleteResponsesOfCallerInput {
  projectId: string;
  callerId: string;
  responsesMax: bigint | number;
  bytesMax: bigint | number;
  limit: bigint | number;
}

const DELETE_RESPONSES_OF_CALLER = `
  DELETE FROM stored_responses WHERE id = ANY (ARRAY(
    SELECT id FROM (
      SELECT id, row_number() OVER newest AS place, sum(bytes) OVER newest AS total FROM stored_responses
      WHERE project_id = $1 AND coalesce(customer_id, project_id) = $2
      WINDOW newest AS (ORDER BY kept_until DESC, created_at, id ROWS UNBOUNDED PRECEDING)) ranked
    WHERE place > $3 OR total > $4 ORDER BY place DESC LIMIT $5))`;

/** Deletes those beyond the limits, the chains used longest ago first. */
export async function deleteResponsesOfCaller(db: Queryable, input: DeleteResponsesOfCallerInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'delete_responses_of_caller',
    text: DELETE_RESPONSES_OF_CALLER,
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
