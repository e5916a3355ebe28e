import type { Queryable } from '@tollgate/postgres';

export interface UnchargedRow {
  /** The id of the hold. */
  id: string;
  /** As the client knows the request. */
  request_id: string;
  customer_id: string | null;
  model_id: string;
  overrun_microcents: bigint;
  unreconciled_microcents: bigint;
  settled_at: Date;
}

export interface UnchargedFilter {
  ownerAccountId: string;
  projectId: string;
  customerId: string | undefined;
  kind: 'overrun' | 'unreconciled' | undefined;
}

/** Lists the requests of a project with usage that no customer paid for, newest first. */
export async function listUncharged(
  db: Queryable,
  { ownerAccountId, projectId, customerId, kind }: UnchargedFilter,
  { take, after }: { take: number; after: { settledAt: Date; id: string } | undefined },
): Promise<UnchargedRow[]> {
  const { rows } = await db.query<UnchargedRow>(
    `SELECT request_id AS id, terms->>'publicRequestId' AS request_id, customer_id, model_id,
       coalesce(overrun_microcents, 0)::bigint AS overrun_microcents,
       coalesce(unreconciled_microcents, 0)::bigint AS unreconciled_microcents, settled_at
     FROM holds
     WHERE owner_account_id = $1 AND (overrun_microcents > 0 OR unreconciled_microcents > 0)
       AND terms->>'projectId' = $2 AND ($3::uuid IS NULL OR customer_id = $3)
       AND ($4::text IS NULL OR CASE $4 WHEN 'overrun' THEN overrun_microcents ELSE unreconciled_microcents END > 0)
       AND ($5::timestamptz IS NULL OR (settled_at, request_id) < ($5, $6::uuid))
     ORDER BY settled_at DESC, request_id DESC LIMIT $7`,
    [ownerAccountId, projectId, customerId ?? null, kind ?? null, after?.settledAt ?? null, after?.id ?? null, take],
  );
  return rows;
}
