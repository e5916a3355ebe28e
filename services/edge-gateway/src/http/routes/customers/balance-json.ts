import type { BalanceEntry, GetCustomerBalanceResponse } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { toJsonNumber } from '@tollgate/money';
import { timeJson } from './customer-json.js';

export function balanceJson(balance: GetCustomerBalanceResponse) {
  return {
    customer_id: balance.customerId,
    billing_profile_id: balance.billingProfileId,
    balance_microcents: toJsonNumber(balance.balanceMicrocents),
    reserved_microcents: toJsonNumber(balance.reservedMicrocents),
    currency: balance.currency,
  };
}

export function balanceEntryJson(entry: BalanceEntry) {
  return {
    id: entry.id,
    direction: entry.direction,
    amount_microcents: toJsonNumber(entry.amountMicrocents),
    reason: entry.reason,
    occurred_at: timeJson(entry.occurredAt),
    balance_after_microcents: toJsonNumber(entry.balanceAfterMicrocents),
    request_id: entry.requestId || undefined,
    description: entry.description,
    model_id: entry.modelId || undefined,
    input_tokens: entry.inputTokens === undefined ? undefined : toJsonNumber(entry.inputTokens),
    output_tokens: entry.outputTokens === undefined ? undefined : toJsonNumber(entry.outputTokens),
  };
}
