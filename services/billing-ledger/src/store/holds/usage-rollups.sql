-- name: add_rollups :exec
-- Adds corrections to the roll-ups of the present day (UTC). The settling statement adds its usage itself, in the same way.
-- pack rollups: owner uuid, project uuid, customer uuid, window_ms bigint, key uuid, model text, requests bigint
-- pack rollups: input bigint, output bigint, images bigint, charged bigint, provider bigint, overrun bigint
-- pack rollups: unreconciled bigint
INSERT INTO usage_rollups AS u (owner_account_id, project_id, customer_id, window_start, day, key_id, model_id, requests,
  input_tokens, output_tokens, images, customer_microcents, provider_microcents, overrun_microcents, unreconciled_microcents)
SELECT owner, project, customer, to_timestamp(window_ms / 1000.0), (now() AT TIME ZONE 'UTC')::date, key, model, requests,
  input, output, images, charged, provider, overrun, unreconciled
FROM :rollups AS r
ON CONFLICT (customer_id, window_start, day, owner_account_id, project_id, key_id, model_id) DO UPDATE SET
  requests = u.requests + excluded.requests, images = u.images + excluded.images,
  input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
  customer_microcents = u.customer_microcents + excluded.customer_microcents,
  provider_microcents = u.provider_microcents + excluded.provider_microcents,
  overrun_microcents = u.overrun_microcents + excluded.overrun_microcents,
  unreconciled_microcents = u.unreconciled_microcents + excluded.unreconciled_microcents
