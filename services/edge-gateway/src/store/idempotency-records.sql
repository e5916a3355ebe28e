-- name: claim_idempotency_key :one
-- Claims the key for this request when it is new, has expired, or its attempt ended without a final response. Returns
-- up to `lost_max` ids of earlier attempts that may have spent something. One statement, so that exactly one of several
-- concurrent requests gets the key; the others get undefined.
INSERT INTO idempotency_records AS r (scope, path, key, body_hash, claim_id, claimed_until, expires_at)
VALUES (:scope, :path, :key, :body_hash, :claim_id, now() + :lease_ms::float8 * interval '1 ms',
        now() + :keep_ms::float8 * interval '1 ms')
ON CONFLICT (scope, path, key) DO UPDATE
  SET body_hash = EXCLUDED.body_hash, claim_id = EXCLUDED.claim_id, claimed_until = EXCLUDED.claimed_until,
      lost_claim_ids = CASE WHEN r.expires_at <= now() THEN '{}' ELSE r.lost_claim_ids || r.claim_id END,
      expires_at = EXCLUDED.expires_at, created_at = now(), status = NULL, headers = NULL, body = NULL, sealed_until = NULL
WHERE r.expires_at <= now()
   OR (r.status IS NULL AND r.claimed_until <= now() AND r.body_hash = EXCLUDED.body_hash
       AND cardinality(r.lost_claim_ids) < :lost_max)
RETURNING r.lost_claim_ids AS "lostIds!";

-- name: return_claim :exec
-- Returns the key to the last earlier attempt when this claim has not started its own.
UPDATE idempotency_records
SET claim_id = :earlier_id, lost_claim_ids = :lost_ids, claimed_until = now()
WHERE scope = :scope AND path = :path AND key = :key AND claim_id = :claim_id AND status IS NULL;

-- name: renew_claim :exec
-- Extends the claim of its holder; has no effect on a claim that was taken over.
UPDATE idempotency_records SET claimed_until = now() + :lease_ms::float8 * interval '1 ms'
WHERE scope = :scope AND path = :path AND key = :key AND claim_id = :claim_id AND status IS NULL;

-- name: keep_answer :execrows
-- Stores the final response; a sealed one for the given time. Stores nothing when the claim was taken over.
UPDATE idempotency_records
SET status = :status, headers = :headers, body = :body, sealed_until = now() + :sealed_ms?::float8 * interval '1 ms'
WHERE scope = :scope AND path = :path AND key = :key AND claim_id = :claim_id;
