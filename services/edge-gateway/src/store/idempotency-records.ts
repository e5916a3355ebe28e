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
}

/**
 * Takes the key for this request: when it is new, has expired, or its first request died without an answer, whose claim
 * is then named. One statement, so that of many requests at once exactly one gets it; undefined for the others.
 */
export async function claimIdempotencyKey(
  db: Queryable,
  key: IdempotencyKey,
  claim: { id: string; bodyHash: Buffer; leaseMs: number; keepMs: number },
): Promise<{ supersedes: string | undefined } | undefined> {
  const result = await db.query<{ died: string | null }>(
    `WITH unanswered AS (
       SELECT claim_id FROM idempotency_records
       WHERE scope = $1 AND path = $2 AND key = $3 AND status IS NULL AND expires_at > now()
     )
     INSERT INTO idempotency_records AS r (scope, path, key, body_hash, claim_id, claimed_until, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 ms', now() + $7 * interval '1 ms')
     ON CONFLICT (scope, path, key) DO UPDATE
       SET body_hash = EXCLUDED.body_hash, claim_id = EXCLUDED.claim_id, claimed_until = EXCLUDED.claimed_until,
           expires_at = EXCLUDED.expires_at, created_at = now(), status = NULL, headers = NULL, body = NULL
     WHERE r.expires_at <= now()
        OR (r.status IS NULL AND r.claimed_until <= now() AND r.body_hash = EXCLUDED.body_hash)
     RETURNING (SELECT claim_id FROM unanswered) AS died`,
    [key.scope, key.path, key.key, claim.bodyHash, claim.id, claim.leaseMs, claim.keepMs],
  );
  const [taken] = result.rows;
  return taken && { supersedes: taken.died ?? undefined };
}

/** Only the holder's; one that was taken over stays so. */
export async function renewClaim(db: Queryable, key: IdempotencyKey, claimId: string, leaseMs: number): Promise<void> {
  await db.query(
    `UPDATE idempotency_records SET claimed_until = now() + $5 * interval '1 ms'
      WHERE scope = $1 AND path = $2 AND key = $3 AND claim_id = $4 AND status IS NULL`,
    [key.scope, key.path, key.key, claimId, leaseMs],
  );
}

export async function readIdempotencyRecord(db: Queryable, key: IdempotencyKey): Promise<IdempotencyRow | undefined> {
  const result = await db.query<IdempotencyRow>(
    'SELECT body_hash, status, headers, body FROM idempotency_records WHERE scope = $1 AND path = $2 AND key = $3',
    [key.scope, key.path, key.key],
  );
  return result.rows[0];
}

/** Only the holder of the claim writes; one that was taken over finds nothing to write. */
export async function keepAnswer(
  db: Queryable,
  key: IdempotencyKey,
  claimId: string,
  answer: KeptAnswer,
): Promise<void> {
  await db.query(
    `UPDATE idempotency_records SET status = $5, headers = $6, body = $7
      WHERE scope = $1 AND path = $2 AND key = $3 AND claim_id = $4`,
    [key.scope, key.path, key.key, claimId, answer.status, JSON.stringify(answer.headers), answer.body],
  );
}

export async function releaseIdempotencyKey(db: Queryable, key: IdempotencyKey, claimId: string): Promise<void> {
  await db.query(
    `DELETE FROM idempotency_records
      WHERE scope = $1 AND path = $2 AND key = $3 AND claim_id = $4 AND status IS NULL`,
    [key.scope, key.path, key.key, claimId],
  );
}

export async function deleteExpiredIdempotencyRecords(db: Queryable): Promise<void> {
  await db.query('DELETE FROM idempotency_records WHERE expires_at <= now()');
}
