-- name: claim_expired_holds :many
-- type state: HoldState from domain/hold
-- Claims open holds past their expiry: the oldest of each owner in turn, and none of the owners in `except`. Settlements read
-- nothing that a claim changes: the settling statement checks the expiry again.
WITH due AS (
  SELECT request_id, row_number() OVER (PARTITION BY owner_account_id ORDER BY expires_at) AS place
  FROM (
    -- A window over all expired holds would read a backlog as a whole for each claim.
    SELECT request_id, owner_account_id, expires_at
    FROM holds
    WHERE state = 0 /* HOLD_STATES.open */ AND expires_at < now()
      AND (expiry_claimed_until IS NULL OR expiry_claimed_until < now())
      AND owner_account_id <> ALL (:except::uuid[])
    ORDER BY expires_at
    LIMIT 1000
  ) AS oldest
),
chosen AS (
  SELECT request_id FROM due ORDER BY place LIMIT :limit
),
taken AS (
  -- The conditions again: another replica may have claimed or ended a hold since it was read. SKIP LOCKED, because the other
  -- replica's claim would only make this one wait.
  SELECT request_id
  FROM holds
  WHERE request_id IN (SELECT request_id FROM chosen)
    AND state = 0 /* HOLD_STATES.open */ AND expires_at < now()
    AND (expiry_claimed_until IS NULL OR expiry_claimed_until < now())
  FOR UPDATE SKIP LOCKED
)
UPDATE holds
SET expiry_claimed_until = now() + :claim_ms::int * interval '1 millisecond'
WHERE request_id IN (SELECT request_id FROM taken)
RETURNING request_id, state, revision, owner_account_id, terms::text AS "terms!", account_ids, amounts,
  progress_input_tokens, progress_output_tokens, customer_microcents, owner_microcents, overrun_microcents,
  unreconciled_microcents, input_tokens, output_tokens, images, tool_fee_tokens
