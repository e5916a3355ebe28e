// Generated from reports/uncharged-usage.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface ListUnchargedInput {
  ownerAccountId: string;
  projectId: string;
  customerId: string | null;
  kind: string | null;
  afterSettledAt: Date | null;
  afterId: string | null;
  take: bigint | number;
}

export interface ListUnchargedRow {
  id: string;
  request_id: string;
  customer_id: string | null;
  model_id: string;
  overrun_microcents: bigint;
  unreconciled_microcents: bigint;
  settled_at: Date;
}

const LIST_UNCHARGED = `
  SELECT request_id AS id, terms->>'publicRequestId' AS "request_id", customer_id, model_id,
    coalesce(overrun_microcents, 0)::bigint AS "overrun_microcents",
    coalesce(unreconciled_microcents, 0)::bigint AS "unreconciled_microcents", settled_at AS "settled_at"
  FROM holds
  WHERE owner_account_id = $1 AND (overrun_microcents > 0 OR unreconciled_microcents > 0)
    AND terms->>'projectId' = $2 AND ($3::uuid IS NULL OR customer_id = $3)
    AND ($4::text IS NULL OR CASE $4 WHEN 'overrun' THEN overrun_microcents ELSE unreconciled_microcents END > 0)
    AND ($5::timestamptz IS NULL OR (settled_at, request_id) < ($5, $6::uuid))
  ORDER BY settled_at DESC, request_id DESC
  LIMIT $7`;

/**
 * Lists the requests of a project with usage that no customer paid for, newest first. `id` is the hold, `request_id` the request
 * as the client knows it.
 * Is planned at each call: its filters are optional.
 */
export async function listUncharged(db: Queryable, input: ListUnchargedInput): Promise<ListUnchargedRow[]> {
  const { rows } = await db.query<ListUnchargedRow>({
    text: LIST_UNCHARGED,
    values: [
      input.ownerAccountId,
      input.projectId,
      input.customerId,
      input.kind,
      input.afterSettledAt,
      input.afterId,
      input.take,
    ],
  });
  return rows;
}
