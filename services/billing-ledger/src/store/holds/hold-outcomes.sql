-- name: read_hold_outcomes :many
-- Returns the outcomes of the account's ended holds. `mayChange`: the hold expired, and a late report may change the figures.
SELECT request_id AS "holdId!",
  (coalesce(input_tokens, 0) - coalesce(tool_fee_tokens, 0))::bigint AS "inputTokens!",
  coalesce(output_tokens, 0)::bigint AS "outputTokens!",
  coalesce(customer_microcents, 0)::bigint AS "customerMicrocents!",
  coalesce(owner_microcents, 0)::bigint AS "ownerMicrocents!",
  state = 3 /* HOLD_STATES.expired */ AS "mayChange!"
FROM holds
WHERE request_id = ANY (:hold_ids::uuid[]) AND owner_account_id = :owner_account_id AND settled_at IS NOT NULL
