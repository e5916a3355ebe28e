import type { RequestJson } from '@tollgate/api/reports';
import { toReportNumber } from '@tollgate/money';
import type { RequestEntry } from '../../../domain/reports/request-entry.js';

/** Omits the fields that are unknown or do not apply. */
export function requestJson(entry: RequestEntry): RequestJson {
  return {
    id: entry.id,
    request_id: entry.clientRequestId ?? entry.id,
    at: entry.at.toISOString(),
    status: entry.status,
    http_status: entry.httpStatus ?? undefined,
    error_code: entry.errorCode ?? undefined,
    customer_id: entry.customerId ?? undefined,
    key_id: entry.keyId ?? undefined,
    tier_code: entry.tierCode ?? undefined,
    model: entry.model ?? undefined,
    provider: entry.provider ?? undefined,
    streaming: entry.isStream,
    cached: entry.isCached,
    estimated: entry.isEstimated,
    stop_reason: entry.stopReason ?? undefined,
    input_tokens: toReportNumber(entry.inputTokens),
    output_tokens: toReportNumber(entry.outputTokens),
    cache_read_input_tokens: toReportNumber(entry.cacheReadInputTokens),
    cache_write_input_tokens: toReportNumber(entry.cacheWriteInputTokens),
    reasoning_tokens: toReportNumber(entry.reasoningTokens),
    images: entry.images,
    revenue_microcents: toReportNumber(entry.revenueMicrocents),
    cost_microcents: toReportNumber(entry.costMicrocents),
    overrun_microcents: toReportNumber(entry.overrunMicrocents),
    unreconciled_microcents: toReportNumber(entry.unreconciledMicrocents),
    duration_ms: entry.durationMs === null ? undefined : toReportNumber(entry.durationMs),
    first_output_ms: entry.firstOutputMs === null ? undefined : toReportNumber(entry.firstOutputMs),
  };
}
