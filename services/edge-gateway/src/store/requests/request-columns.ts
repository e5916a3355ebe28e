/** The columns of a `RequestEntry` in lists, of the table `requests r`. */
export const LISTED = `r.id, r.at, r.account_id AS "accountId", r.project_id AS "projectId", r.status,
  r.client_request_id AS "clientRequestId", r.customer_id AS "customerId", r.key_id AS "keyId", r.tier_code AS "tierCode",
  r.model, r.provider, r.http_status AS "httpStatus", r.error_code AS "errorCode", r.stop_reason AS "stopReason",
  r.is_stream AS "isStream", r.is_cached AS "isCached", r.is_estimated AS "isEstimated", r.input_tokens AS "inputTokens",
  r.output_tokens AS "outputTokens", r.cache_read_input_tokens AS "cacheReadInputTokens",
  r.cache_write_input_tokens AS "cacheWriteInputTokens", r.reasoning_tokens AS "reasoningTokens", r.images,
  r.revenue_microcents AS "revenueMicrocents", r.cost_microcents AS "costMicrocents",
  r.overrun_microcents AS "overrunMicrocents", r.unreconciled_microcents AS "unreconciledMicrocents",
  r.duration_ms AS "durationMs", r.first_output_ms AS "firstOutputMs"`;

/** {@link LISTED}, and what only the view of a single request shows. */
export const SELECTED = `${LISTED}, r.trace_id AS "traceId", r.detail`;
