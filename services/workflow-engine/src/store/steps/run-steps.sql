-- name: insert_intent :exec
-- Inserts the intent of a step, before anything is held or sent.
INSERT INTO run_steps (run_id, node_id, step, attempt, request_id, status, created_at)
VALUES (:run_id, :node_id, :step, :attempt, :hold_id, 'intent', :at)

-- name: mark_dispatched :execrows
-- Marks a step as dispatched, before its first byte is sent. Changes nothing when the lease is lost.
WITH held AS (
  -- The share lock keeps a successor from taking over between the check and the commit.
  SELECT FROM run_work WHERE work_id = :work_id AND lease_epoch = :epoch AND run_id = :run_id FOR SHARE
)
UPDATE run_steps
SET status = 'dispatched', dispatched_at = clock_timestamp(), model_id = :model_id, input_price_per_million_cents = :input_price,
  output_price_per_million_cents = :output_price, price_per_image_cents = :image_price, held_microcents = :held_microcents,
  llm_request = :llm_request
WHERE run_id = :run_id AND node_id = :node_id AND step = :step AND attempt = :attempt AND status = 'intent'
  AND EXISTS (SELECT FROM held)

-- name: mark_undelivered :exec
-- Undoes `mark_dispatched` for a call that was provably not sent. Does nothing when another process holds the work.
WITH held AS (
  -- The share lock keeps a successor from taking over between the check and the commit.
  SELECT FROM run_work WHERE work_id = :work_id AND lease_epoch = :epoch AND run_id = :run_id FOR SHARE
)
UPDATE run_steps
SET status = 'intent', dispatched_at = NULL
WHERE run_id = :run_id AND node_id = :node_id AND step = :step AND attempt = :attempt AND status = 'dispatched'
  AND EXISTS (SELECT FROM held)

-- name: end_step :exec
UPDATE run_steps
SET status = :status, ended_at = :at, provider = :provider?, cost_microcents = :cost_microcents?, input_tokens = :input_tokens?,
  output_tokens = :output_tokens?, llm_response = :llm_response?, error_code = :error_code?
WHERE run_id = :run_id AND node_id = :node_id AND step = :step AND attempt = :attempt

-- name: store_client_results :exec
UPDATE run_steps SET tool_results = :results WHERE run_id = :run_id AND node_id = :node_id AND step = :step AND attempt = :attempt

-- name: record_late_usage :exec
-- Records the usage of a call that finished after its run had ended. Does nothing while the run is active: then the attempt has a
-- successor.
UPDATE run_steps
SET status = 'settled', ended_at = clock_timestamp(), provider = :provider?, cost_microcents = :cost_microcents?,
  input_tokens = :input_tokens?, output_tokens = :output_tokens?, llm_response = :llm_response?, error_code = :error_code?
WHERE run_id = :run_id AND node_id = :node_id AND step = :step AND attempt = :attempt AND status = 'dispatched'
  AND EXISTS (SELECT FROM runs WHERE run_id = :run_id AND ended_at IS NOT NULL)

-- name: mark_recorded :exec
-- Stores a recorded request with the step. Nothing was held and nothing was sent.
UPDATE run_steps
SET dispatched_at = clock_timestamp(), model_id = :model_id?, llm_request = :llm_request?, input_price_per_million_cents = 0,
  output_price_per_million_cents = 0, price_per_image_cents = 0, held_microcents = 0
WHERE run_id = :run_id AND node_id = :node_id AND step = :step AND attempt = :attempt
