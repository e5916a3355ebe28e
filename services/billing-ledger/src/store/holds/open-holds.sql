-- name: find_holds :many
-- type state: HoldState from domain/hold
SELECT request_id, state, revision, owner_account_id, terms::text AS "terms!", account_ids, amounts,
  progress_input_tokens, progress_output_tokens, customer_microcents, owner_microcents, overrun_microcents,
  unreconciled_microcents, input_tokens, output_tokens, images, tool_fee_tokens
FROM holds
WHERE request_id = ANY (:hold_ids::uuid[])

-- name: lock_holds :many
-- Locks holds in id order. Every transaction that ends or changes holds locks their accounts first, or it can deadlock.
-- type state: HoldState from domain/hold
SELECT request_id, state, revision, owner_account_id, terms::text AS "terms!", account_ids, amounts,
  progress_input_tokens, progress_output_tokens, customer_microcents, owner_microcents, overrun_microcents,
  unreconciled_microcents, input_tokens, output_tokens, images, tool_fee_tokens
FROM holds
WHERE request_id = ANY (:hold_ids::uuid[])
ORDER BY request_id
FOR UPDATE

-- name: insert_holds :exec
-- pack holds: request_id uuid, owner_account_id uuid, customer_id uuid?, model_id text, terms json
-- pack holds: account_ids bigint[], amounts bigint[], free_before bigint[], ttl_ms int
INSERT INTO holds (request_id, owner_account_id, customer_id, model_id, terms, account_ids, amounts, expires_at, free_before)
SELECT request_id, owner_account_id, customer_id, model_id, terms, account_ids, amounts,
  now() + ttl_ms * interval '1 millisecond', free_before
FROM :holds AS h

-- name: raise_held :exec
-- Adds amounts to the held sums of accounts. The caller has locked them.
-- pack amounts: id bigint, amount bigint
UPDATE accounts a SET held = a.held + t.amount FROM :amounts AS t WHERE a.id = t.id

-- name: grow_holds :exec
-- Writes extended holds, and lets them live at least `ttl_ms` from now.
-- pack holds: request_id uuid, account_ids bigint[], amounts bigint[], terms json, revision int
UPDATE holds h
SET account_ids = t.account_ids, amounts = t.amounts, terms = t.terms, revision = t.revision,
  expires_at = greatest(h.expires_at, now() + :ttl_ms::int * interval '1 millisecond')
FROM :holds AS t
WHERE h.request_id = t.request_id

-- name: change_legs :exec
-- Writes the limits that a hold still draws on. The funds that it saw do not belong to these any more.
UPDATE holds
SET account_ids = :account_ids, amounts = :amounts, terms = :terms, free_before = NULL, revision = revision + 1
WHERE request_id = :hold_id

-- name: insert_tombstone :execrows
-- Writes a hold that was released before it was admitted, unless the hold exists.
INSERT INTO holds (request_id, state, account_ids, amounts, expires_at, settled_at, superseded_at, owner_account_id,
  terms, model_id, input_tokens, output_tokens, images, customer_microcents, owner_microcents, overrun_microcents,
  unreconciled_microcents)
VALUES (:hold_id, 2 /* HOLD_STATES.released */, '{}', '{}', now(), now(), now(), :owner_account_id,
  :terms, :model_id, 0, 0, 0, 0, 0, 0, 0)
ON CONFLICT (request_id) DO NOTHING
