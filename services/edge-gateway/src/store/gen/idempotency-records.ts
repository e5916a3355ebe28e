// Generated from idempotency-records.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';

export interface ClaimIdempotencyKeyInput {
  scope: string;
  path: string;
  key: string;
  bodyHash: Uint8Array;
  claimId: string;
  leaseMs: number;
  keepMs: number;
  lostMax: number;
}

export interface ClaimIdempotencyKeyRow {
  lostIds: string[];
}

const CLAIM_IDEMPOTENCY_KEY = `
  INSERT INTO idempotency_records AS r (scope, path, key, body_hash, claim_id, claimed_until, expires_at)
  VALUES ($1, $2, $3, $4, $5, now() + $6::float8 * interval '1 ms',
          now() + $7::float8 * interval '1 ms')
  ON CONFLICT (scope, path, key) DO UPDATE
    SET body_hash = EXCLUDED.body_hash, claim_id = EXCLUDED.claim_id, claimed_until = EXCLUDED.claimed_until,
        lost_claim_ids = CASE WHEN r.expires_at <= now() THEN '{}' ELSE r.lost_claim_ids || r.claim_id END,
        expires_at = EXCLUDED.expires_at, created_at = now(), status = NULL, headers = NULL, body = NULL, sealed_until = NULL
  WHERE r.expires_at <= now()
     OR (r.status IS NULL AND r.claimed_until <= now() AND r.body_hash = EXCLUDED.body_hash
         AND cardinality(r.lost_claim_ids) < $8)
  RETURNING r.lost_claim_ids AS "lostIds"`;

/**
 * Claims the key for this request when it is new, has expired, or its attempt ended without a final response. Returns
 * up to `lost_max` ids of earlier attempts that may have spent something. One statement, so that exactly one of several
 * concurrent requests gets the key; the others get undefined.
 */
export async function claimIdempotencyKey(db: Queryable, input: ClaimIdempotencyKeyInput): Promise<ClaimIdempotencyKeyRow | undefined> {
  const { rows } = await db.query<ClaimIdempotencyKeyRow>({
    name: 'claim_idempotency_key',
    text: CLAIM_IDEMPOTENCY_KEY,
    values: [
      input.scope,
      input.path,
      input.key,
      input.bodyHash,
      input.claimId,
      input.leaseMs,
      input.keepMs,
      input.lostMax,
    ],
  });
  return rows[0];
}

export interface ReturnClaimInput {
  earlierId: string;
  lostIds: readonly string[];
  scope: string;
  path: string;
  key: string;
  claimId: string;
}

const RETURN_CLAIM = `
  UPDATE idempotency_records
  SET claim_id = $1, lost_claim_ids = $2, claimed_until = now()
  WHERE scope = $3 AND path = $4 AND key = $5 AND claim_id = $6 AND status IS NULL`;

/** Returns the key to the last earlier attempt when this claim has not started its own. */
export async function returnClaim(db: Queryable, input: ReturnClaimInput): Promise<void> {
  await db.query({
    name: 'return_claim',
    text: RETURN_CLAIM,
    values: [
      input.earlierId,
      arrayLiteral(input.lostIds),
      input.scope,
      input.path,
      input.key,
      input.claimId,
    ],
  });
}

export interface RenewClaimInput {
  leaseMs: number;
  scope: string;
  path: string;
  key: string;
  claimId: string;
}

const RENEW_CLAIM = `
  UPDATE idempotency_records SET claimed_until = now() + $1::float8 * interval '1 ms'
  WHERE scope = $2 AND path = $3 AND key = $4 AND claim_id = $5 AND status IS NULL`;

/** Extends the claim of its holder; has no effect on a claim that was taken over. */
export async function renewClaim(db: Queryable, input: RenewClaimInput): Promise<void> {
  await db.query({
    name: 'renew_claim',
    text: RENEW_CLAIM,
    values: [
      input.leaseMs,
      input.scope,
      input.path,
      input.key,
      input.claimId,
    ],
  });
}

export interface KeepAnswerInput {
  status: number;
  headers: string;
  body: Uint8Array;
  sealedMs: number | null;
  scope: string;
  path: string;
  key: string;
  claimId: string;
}

const KEEP_ANSWER = `
  UPDATE idempotency_records
  SET status = $1, headers = $2, body = $3, sealed_until = now() + $4::float8 * interval '1 ms'
  WHERE scope = $5 AND path = $6 AND key = $7 AND claim_id = $8`;

/** Stores the final response; a sealed one for the given time. Stores nothing when the claim was taken over. */
export async function keepAnswer(db: Queryable, input: KeepAnswerInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'keep_answer',
    text: KEEP_ANSWER,
    values: [
      input.status,
      input.headers,
      input.body,
      input.sealedMs,
      input.scope,
      input.path,
      input.key,
      input.claimId,
    ],
  });
  return rowCount ?? 0;
}
