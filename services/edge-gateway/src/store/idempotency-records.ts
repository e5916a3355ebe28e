import type { Queryable } from '@tollgate/postgres';

export interface IdempotencyKey {
  scope: string;
  path: string;
  key: string;
}

export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

export interface IdempotencyRow {
  body_hash: Buffer;
  status: number | null;
  headers: Record<string, string> | null;
  body: Buffer | null;
  /** Whether the body is encrypted; a sealed body is null once its time is over. */
  is_sealed: boolean;
}

/** Records that the earlier attempts are superseded. Returns false when the claim was taken over. */
export async function forgetLostClaims(db: Queryable, key: IdempotencyKey, claimId: string): Promise<boolean> {
  const result = await db.query(
    `UPDATE idempotency_records SET lost_claim_ids = '{}'
      WHERE scope = $1 AND path = $2 AND key = $3 AND claim_id = $4 AND status IS NULL`,
    [key.scope, key.path, key.key, claimId],
  );
  return result.rowCount === 1;
}

/** Lets a repeat take over the key at once and supersede this attempt. */
export async function yieldClaim(db: Queryable, key: IdempotencyKey, claimId: string): Promise<void> {
  await db.query(
    `UPDATE idempotency_records SET claimed_until = now()
      WHERE scope = $1 AND path = $2 AND key = $3 AND claim_id = $4 AND status IS NULL`,
    [key.scope, key.path, key.key, claimId],
  );
}

export async function readIdempotencyRecord(db: Queryable, key: IdempotencyKey): Promise<IdempotencyRow | undefined> {
  const result = await db.query<IdempotencyRow>(
    `SELECT body_hash, status, headers, sealed_until IS NOT NULL AS is_sealed,
       CASE WHEN sealed_until <= now() THEN NULL ELSE body END AS body
     FROM idempotency_records WHERE scope = $1 AND path = $2 AND key = $3`,
    [key.scope, key.path, key.key],
  );
  return result.rows[0];
}

/** Frees the key of an attempt that has spent nothing. */
export async function releaseIdempotencyKey(db: Queryable, key: IdempotencyKey, claimId: string): Promise<void> {
  await db.query(
    `DELETE FROM idempotency_records
      WHERE scope = $1 AND path = $2 AND key = $3 AND claim_id = $4 AND status IS NULL`,
    [key.scope, key.path, key.key, claimId],
  );
}

/** Deletes the bodies of sealed answers whose time is over. Returns how many there were, at most `limit`. */
export async function deleteSealedBodies(db: Queryable, limit: number): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE idempotency_records SET body = NULL WHERE (scope, path, key) IN (
       SELECT scope, path, key FROM idempotency_records WHERE sealed_until <= now() AND body IS NOT NULL
       LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [limit],
  );
  return rowCount ?? 0;
}
