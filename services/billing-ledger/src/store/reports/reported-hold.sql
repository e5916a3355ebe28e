-- name: find_reported_hold :one
-- Returns a hold of the account with what only reports show. Its transfers are missing once their month is archived and deleted.
-- `free_before` is by leg; null: not recorded. `charges` are the amounts of its transfers by kind; null: none.
-- type state: HoldState from domain/hold
-- type free_before: FreeBefore from store/reports/reported-hold
-- type charges: Charges from store/reports/reported-hold
SELECT request_id, state, revision, owner_account_id, terms::text AS "terms!", account_ids, amounts,
  progress_input_tokens, progress_output_tokens, customer_microcents, owner_microcents, overrun_microcents,
  unreconciled_microcents, input_tokens, output_tokens, images, tool_fee_tokens, created_at, expires_at, settled_at,
  free_before::text[] AS free_before,
  (SELECT json_object_agg(t.kind, t.amount::text) FROM transfers t WHERE t.cause = holds.request_id) AS charges
FROM holds
WHERE request_id = :hold_id AND owner_account_id = :owner_account_id
