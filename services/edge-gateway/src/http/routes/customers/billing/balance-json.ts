import type { BalanceEntry, GetCustomerBalanceResponse } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { toReportNumber } from '@tollgate/money';
import { timeJson } from '../customer-json.js';

export function balanceJson(balance: GetCustomerBalanceResponse) {
  return {
    customer_id: balance.customerId,
    billing_profile_id: balance.billingProfileId,
    balance_microcents: toReportNumber(balance.balanceMicrocents),
    reserved_microcents: toReportNumber(balance.reservedMicrocents),
    currency: balance.currency,
    granted_microcents: balance.grantedMicrocents === undefined ? undefined : toReportNumber(balance.grantedMicrocents),
  };
}

export function balanceEntryJson(entry: BalanceEntry) {
  return {
    id: entry.id,
    direction: entry.direction,
    amount_microcents: toReportNumber(entry.amountMicrocents),
    reason: entry.reason,
    occurred_at: timeJson(entry.occurredAt),
    balance_after_microcents: toReportNumber(entry.balanceAfterMicrocents),
    request_id: entry.requestId || undefined,
    description: entry.description,
    model_id: entry.modelId || undefined,
    input_tokens: entry.inputTokens === undefined ? undefined : toReportNumber(entry.inputTokens),
    output_tokens: entry.outputTokens === undefined ? undefined : toReportNumber(entry.outputTokens),
  };
}
