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

/**
 * Claims the key for this request when it is new, has expired, or its attempt ended without a final response. Returns
 * up to `lostMax` ids of earlier attempts that may have spent something. One statement, so that exactly one of several
 * concurrent requests gets the key; the others get undefined.
 */
export async function claimIdempotencyKey(
  db: Queryable,
  key: IdempotencyKey,
  claim: { id: string; bodyHash: Buffer; leaseMs: number; keepMs: number; lostMax: number },
): Promise<{ lostIds: string[] } | undefined> {
  const result = await db.query<{ lost: string[] }>(
    `INSERT INTO idempotency_records AS r (scope, path, key, body_hash, claim_id, claimed_until, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 ms', now() + $7 * interval '1 ms')
     ON CONFLICT (scope, path, key) DO UPDATE
       SET body_hash = EXCLUDED.body_hash, claim_id = EXCLUDED.claim_id, claimed_until = EXCLUDED.claimed_until,
           lost_claim_ids = CASE WHEN r.expires_at <= now() THEN '{}' ELSE r.lost_claim_ids || r.claim_id END,
           expires_at = EXCLUDED.expires_at, created_at = now(), status = NULL, headers = NULL, body = NULL, sealed_until = NULL
     WHERE r.expires_at <= now()
        OR (r.status IS NULL AND r.claimed_until <= now() AND r.body_hash = EXCLUDED.body_hash
            AND cardinality(r.lost_claim_ids) < $8)
     RETURNING r.lost_claim_ids AS lost`,
    [key.scope, key.path, key.key, claim.bodyHash, claim.id, claim.leaseMs, claim.keepMs, claim.lostMax],
  );
  const [taken] = result.rows;
  return taken && { lostIds: taken.lost };
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

/** Returns the key to the last earlier attempt when this claim has not started its own. */
export async function returnClaim(
  db: Queryable,
  key: IdempotencyKey,
  claimId: string,
  lostIds: readonly string[],
): Promise<void> {
  await db.query(
    `UPDATE idempotency_records SET claim_id = $5, lost_claim_ids = $6, claimed_until = now()
      WHERE scope = $1 AND path = $2 AND key = $3 AND claim_id = $4 AND status IS NULL`,
    [key.scope, key.path, key.key, claimId, lostIds.at(-1), lostIds.slice(0, -1)],
  );
}

/** Lets a repeat take over the key at once and supersede this attempt. */
export async function yieldClaim(db: Queryable, key: IdempotencyKey, claimId: string): Promise<void> {
  await db.query(
    `UPDATE idempotency_records SET claimed_until = now()
      WHERE scope = $1 AND path = $2 AND key = $3 AND claim_id = $4 AND status IS NULL`,
    [key.scope, key.path, key.key, claimId],
  );
}

/** Extends the claim of its holder; has no effect on a claim that was taken over. */
export async function renewClaim(db: Queryable, key: IdempotencyKey, claimId: string, leaseMs: number): Promise<void> {
  await db.query(
    `UPDATE idempotency_records SET claimed_until = now() + $5 * interval '1 ms'
      WHERE scope = $1 AND path = $2 AND key = $3 AND claim_id = $4 AND status IS NULL`,
    [key.scope, key.path, key.key, claimId, leaseMs],
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

/**
 * Stores the final response; a sealed one for the given time. Returns false and stores nothing when the claim was taken over.
 */
export async function keepAnswer(
  db: Queryable,
  key: IdempotencyKey,
  claimId: string,
  answer: KeptAnswer & { sealedMs: number | undefined },
): Promise<boolean> {
  const result = await db.query(
    `UPDATE idempotency_records SET status = $5, headers = $6, body = $7, sealed_until = now() + $8 * interval '1 ms'
      WHERE scope = $1 AND path = $2 AND key = $3 AND claim_id = $4`,
    [
      key.scope,
      key.path,
      key.key,
      claimId,
      answer.status,
      JSON.stringify(answer.headers),
      answer.body,
      answer.sealedMs ?? null,
    ],
  );
  return result.rowCount === 1;
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
