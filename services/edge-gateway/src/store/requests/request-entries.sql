-- name: insert_entries :exec
-- Entries that are stored already stay as they are.
-- pack entries: id uuid, at timestamptz, account_id uuid, project_id uuid, status text, client_request_id text?
-- pack entries: customer_id uuid?, key_id uuid?, tier_code text?, model text?, provider text?, http_status int?
-- pack entries: error_code text?, stop_reason text?, is_stream bool, is_cached bool, is_estimated bool, input_tokens bigint
-- pack entries: output_tokens bigint, cache_read_input_tokens bigint, cache_write_input_tokens bigint, reasoning_tokens bigint
-- pack entries: images int, revenue_microcents bigint, cost_microcents bigint, overrun_microcents bigint
-- pack entries: unreconciled_microcents bigint, duration_ms bigint?, first_output_ms bigint?, trace_id text?, detail json?
INSERT INTO requests (id, at, account_id, project_id, status, client_request_id, customer_id, key_id, tier_code, model,
  provider, http_status, error_code, stop_reason, is_stream, is_cached, is_estimated, input_tokens, output_tokens,
  cache_read_input_tokens, cache_write_input_tokens, reasoning_tokens, images, revenue_microcents, cost_microcents,
  overrun_microcents, unreconciled_microcents, duration_ms, first_output_ms, trace_id, detail)
SELECT * FROM :entries AS e
ON CONFLICT (id, at) DO NOTHING;

-- name: replace_entries :exec
-- Replaces everything but the place in lists.
-- pack entries: id uuid, at timestamptz, status text, client_request_id text?, customer_id uuid?, key_id uuid?
-- pack entries: tier_code text?, model text?, provider text?, http_status int?, error_code text?, stop_reason text?
-- pack entries: is_stream bool, is_cached bool, is_estimated bool, input_tokens bigint, output_tokens bigint
-- pack entries: cache_read_input_tokens bigint, cache_write_input_tokens bigint, reasoning_tokens bigint, images int
-- pack entries: revenue_microcents bigint, cost_microcents bigint, overrun_microcents bigint, unreconciled_microcents bigint
-- pack entries: duration_ms bigint?, first_output_ms bigint?, trace_id text?, detail json?
UPDATE requests r
SET (status, client_request_id, customer_id, key_id, tier_code, model, provider, http_status, error_code, stop_reason,
  is_stream, is_cached, is_estimated, input_tokens, output_tokens, cache_read_input_tokens, cache_write_input_tokens,
  reasoning_tokens, images, revenue_microcents, cost_microcents, overrun_microcents, unreconciled_microcents, duration_ms,
  first_output_ms, trace_id, detail) = ROW (
  e.status, e.client_request_id, e.customer_id, e.key_id, e.tier_code, e.model, e.provider, e.http_status, e.error_code,
  e.stop_reason, e.is_stream, e.is_cached, e.is_estimated, e.input_tokens, e.output_tokens, e.cache_read_input_tokens,
  e.cache_write_input_tokens, e.reasoning_tokens, e.images, e.revenue_microcents, e.cost_microcents, e.overrun_microcents,
  e.unreconciled_microcents, e.duration_ms, e.first_output_ms, e.trace_id, e.detail)
FROM :entries AS e
-- `since` leaves the partitions of earlier days out.
WHERE r.id = e.id AND r.at <= e.at AND r.at >= :since
