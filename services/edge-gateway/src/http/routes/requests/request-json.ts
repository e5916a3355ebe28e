import type { RequestDetailJson, RequestJson } from '@tollgate/api/reports';
import type { CheckedLimit } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { ReadHoldResponse } from '@tollgate/contracts/billing/v1/holds_pb.js';
import type { PriceSnapshot } from '@tollgate/contracts/common/v1/usage_pb.js';
import { toReportNumber } from '@tollgate/money';
import type { StoredAttempt, StoredLimit } from '../../../domain/reports/request-detail.js';
import type { RequestEntry } from '../../../domain/reports/request-entry.js';
import { timeJson } from '../to-json.js';

type LimitJson = NonNullable<RequestDetailJson['admission']>['limits'][number];

/** Limits whose money is the customer's; the provider cost is held and charged once, of `owner`. */
const CUSTOMER_LIMITS = new Set(['allowance', 'wallet']);

/** Omits the parts that are unknown. */
export function requestDetailJson(entry: RequestEntry, hold: ReadHoldResponse | undefined): RequestDetailJson {
  const { detail } = entry;
  return {
    ...requestJson(entry),
    trace_id: entry.traceId ?? undefined,
    admission_ms: detail?.admissionMs,
    admission: admissionJson(detail?.limits, hold),
    hold: hold && holdJson(hold),
    prices: hold?.providerPrice && {
      currency: 'usd',
      customer: hold.customerPrice && priceJson(hold.customerPrice),
      owner: priceJson(hold.providerPrice),
    },
    attempts: detail?.attempts?.map(attemptJson),
  };
}

function admissionJson(
  refused: readonly StoredLimit[] | undefined,
  hold: ReadHoldResponse | undefined,
): RequestDetailJson['admission'] {
  if (hold) return { verdict: 'allowed', limits: hold.limits.map(heldLimitJson) };
  return refused && refused.length > 0 ? { verdict: 'refused', limits: refused.map(refusedLimitJson) } : undefined;
}

function heldLimitJson({ limit, total, available, held, charged }: CheckedLimit): LimitJson {
  return {
    limit,
    unit: toUnit(limit),
    total: total === undefined ? undefined : toReportNumber(total),
    used_before: total === undefined || available === undefined ? undefined : toReportNumber(total - available),
    available_before: available === undefined ? undefined : toReportNumber(available),
    held: toReportNumber(held),
    charged: toReportNumber(charged),
    verdict: held > 0n ? 'allowed' : 'not_needed',
  };
}

function refusedLimitJson({ limit, available, required, hasRefused }: StoredLimit): LimitJson {
  return {
    limit,
    unit: toUnit(limit),
    available_before: available === undefined ? undefined : toReportNumber(BigInt(available)),
    required: toReportNumber(BigInt(required)),
    verdict: hasRefused ? 'refused' : 'allowed',
  };
}

function toUnit(limit: string): LimitJson['unit'] {
  return limit === 'quota' ? 'units' : 'microcents';
}

function holdJson(hold: ReadHoldResponse): RequestDetailJson['hold'] {
  const sum = (isCounted: (limit: string) => boolean, part: 'held' | 'charged') =>
    toReportNumber(hold.limits.reduce((total, each) => (isCounted(each.limit) ? total + each[part] : total), 0n));
  const isCustomer = (limit: string) => CUSTOMER_LIMITS.has(limit);
  const isOwner = (limit: string) => limit === 'owner';
  return {
    state: hold.state,
    opened_at: timeJson(hold.openedAt),
    ended_at: hold.endedAt && timeJson(hold.endedAt),
    expires_at: timeJson(hold.expiresAt),
    held_for: {
      input_tokens: toReportNumber(hold.inputTokens),
      output_tokens: toReportNumber(hold.outputTokens),
      images: toReportNumber(hold.images),
    },
    customer_held_microcents: sum(isCustomer, 'held'),
    owner_held_microcents: sum(isOwner, 'held'),
    customer_charged_microcents: sum(isCustomer, 'charged'),
    owner_charged_microcents: sum(isOwner, 'charged'),
  };
}

function priceJson(price: PriceSnapshot) {
  return {
    input_per_million_cents: toReportNumber(price.inputPerMillionCents),
    ...(price.cachedInputPerMillionCents !== undefined && {
      cached_input_per_million_cents: toReportNumber(price.cachedInputPerMillionCents),
    }),
    output_per_million_cents: toReportNumber(price.outputPerMillionCents),
    per_image_cents: toReportNumber(price.perImageCents),
  };
}

function attemptJson({ provider, connection, isOwn, model, outcome, durationMs, failure, status }: StoredAttempt) {
  const at = { provider, connection, own_connection: isOwn, model };
  return { ...at, outcome, duration_ms: durationMs, failure, http_status: status };
}

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
