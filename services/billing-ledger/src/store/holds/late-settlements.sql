-- name: correct_hold :exec
-- Replaces the outcome of an ended hold.
UPDATE holds
SET state = :state, settled_at = now(), input_tokens = :input_tokens, output_tokens = :output_tokens, images = :images,
  tool_fee_tokens = :tool_fee_tokens, fee_microcents = :fee_microcents, customer_microcents = :customer_microcents,
  owner_microcents = :owner_microcents, overrun_microcents = :overrun_microcents,
  unreconciled_microcents = :unreconciled_microcents
WHERE request_id = :hold_id
