import type { GetCustomerUsageResponse } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { centsToMicrocents, toReportNumber } from '@tollgate/money';
import { timeJson } from '../customer-json.js';

/** The threshold of `low` (SPEC "Usage"). */
const LOW_PERCENT = 80;

/** Omits the fields of a limit or a wallet when there is none. */
export function usageJson(usage: GetCustomerUsageResponse) {
  const percentage = percentageUsed(usage);
  return {
    window_start: timeJson(usage.windowStart)?.slice(0, 10),
    window_end: timeJson(usage.windowEnd)?.slice(0, 10),
    requests: toReportNumber(usage.requests),
    tokens: toReportNumber(usage.tokens),
    total_cost_microcents: toReportNumber(usage.totalCostMicrocents),
    ...(usage.spendLimitCents !== undefined && {
      spend_limit_cents: toReportNumber(usage.spendLimitCents),
      spend_remaining_microcents: toReportNumber(usage.spendRemainingMicrocents ?? 0n),
      percentage_used: percentage,
    }),
    low: percentage !== undefined && percentage >= LOW_PERCENT,
    ...(usage.walletBalanceMicrocents !== undefined && {
      wallet_balance_microcents: toReportNumber(usage.walletBalanceMicrocents),
      wallet_reserved_microcents: toReportNumber(usage.walletReservedMicrocents ?? 0n),
    }),
    overage_enabled: usage.overageEnabled,
    daily: usage.daily.map((day) => ({
      date: day.date,
      requests: toReportNumber(day.requests),
      tokens: toReportNumber(day.tokens),
      cost_microcents: toReportNumber(day.costMicrocents),
    })),
  };
}

/** Returns 0–100 with two decimals; a limit of 0 counts as fully used. */
function percentageUsed(usage: GetCustomerUsageResponse): number | undefined {
  if (usage.spendLimitCents === undefined) return undefined;
  const limit = centsToMicrocents(usage.spendLimitCents);
  if (limit === 0n) return 100;
  const used = limit - (usage.spendRemainingMicrocents ?? 0n);
  return Number((used * 10_000n) / limit) / 100;
}
