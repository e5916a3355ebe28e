import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  balanceHistorySchema,
  balanceSchema,
  creditWithdrawalInputSchema,
  creditWithdrawalSchema,
  customerCreditInputSchema,
  customerCreditSchema,
  subscriptionInputSchema,
  subscriptionSchema,
} from '@tollgate/api/billing';
import { nextCursor, pageQuery } from '@tollgate/api/values';
import type {
  BalanceEntry,
  GetCustomerBalanceResponse,
  GetCustomerUsageResponse,
} from '@tollgate/contracts/billing/v1/billing_pb.js';
import { AppError } from '@tollgate/errors';
import { centsToMicrocents, toReportNumber } from '@tollgate/money';
import { z } from 'zod';
import { readIdempotencyKey } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { timeJson } from '../to-json.js';
import { subscriptionJson } from './customer-json.js';
import { customerParams } from './customers.js';

export const getCustomerBalance = defineRoute({
  method: 'GET',
  path: '/customers/:id/balance',
  tag: 'Customers',
  summary: "Get a customer's prepaid wallet",
  operationId: 'getCustomerBalance',
  description: 'The wallet pays for requests on pay-as-you-go tiers.',
  auth: ['secret_key'],
  params: customerParams,
  success: { status: 200, schema: balanceSchema },
  handler: async ({ params, call }, ctx) => ({
    body: balanceJson(await ctx.clients.billing.getCustomerBalance({ customerId: params.id }, call)),
  }),
});

export const listCustomerBalanceHistory = defineRoute({
  method: 'GET',
  path: '/customers/:id/balance/history',
  tag: 'Customers',
  summary: "List the transactions of a customer's wallet, newest first",
  operationId: 'listCustomerBalanceHistory',
  description: 'Top-ups, grants, charges and refunds, each with the balance after it.',
  auth: ['secret_key'],
  params: customerParams,
  query: pageQuery(50, 200),
  success: { status: 200, schema: balanceHistorySchema },
  handler: async ({ params, query, call }, ctx) => {
    const { entries, hasMore } = await ctx.clients.billing.listBalanceHistory(
      { customerId: params.id, ...query },
      call,
    );
    return { body: { entries: entries.map(balanceEntryJson), ...nextCursor(query.offset, entries.length, hasMore) } };
  },
});

/** The key names the grant in the journal: a repeat after a lost answer does not apply it again. */
export const creditCustomer = defineRoute({
  method: 'POST',
  path: '/customers/:id/credit',
  tag: 'Customers',
  summary: "Add to a customer's wallet without a payment; requires an Idempotency-Key, and applies it once",
  auth: ['secret_key'],
  params: customerParams,
  body: customerCreditInputSchema,
  success: { status: 201, schema: customerCreditSchema },
  idempotent: true,
  audit: 'customer.credited',
  handler: async ({ params, body, headers, principal, call }, ctx) => {
    const key = readIdempotencyKey(headers);
    if (key === undefined) {
      // A customer of another project stays hidden.
      await ctx.clients.billing.getCustomer({ by: { case: 'id', value: params.id } }, call);
      throw new AppError('INVALID_INPUT', 'Idempotency-Key is required');
    }
    const granted = await ctx.clients.billing.grantCredit(
      {
        target: { case: 'customerId', value: params.id },
        amountMicrocents: centsToMicrocents(BigInt(body.amount_cents)),
        reason: body.reason,
        cause: `credit/${principal.projectId}/${params.id.toLowerCase()}/${key}`,
      },
      call,
    );
    return { body: { balance_microcents: toReportNumber(granted.balanceMicrocents), applied: granted.applied } };
  },
});

/** The key names the withdrawal in the journal: a repeat after a lost answer does not apply it again. */
export const withdrawCredit = defineRoute({
  method: 'POST',
  path: '/customers/:id/credit/withdraw',
  tag: 'Customers',
  summary: "Take granted credit back from a customer's wallet; requires an Idempotency-Key, and applies it once",
  operationId: 'withdrawCustomerCredit',
  description: 'Paid money stays: refund the payment instead. Granted credit counts as used before paid money.',
  auth: ['secret_key'],
  params: customerParams,
  body: creditWithdrawalInputSchema,
  success: { status: 201, schema: creditWithdrawalSchema },
  refusals: [404, 409],
  idempotent: true,
  audit: 'customer.credit_withdrawn',
  handler: async ({ params, body, headers, principal, call }, ctx) => {
    const key = readIdempotencyKey(headers);
    if (key === undefined) {
      // A customer of another project stays hidden.
      await ctx.clients.billing.getCustomer({ by: { case: 'id', value: params.id } }, call);
      throw new AppError('INVALID_INPUT', 'Idempotency-Key is required');
    }
    const withdrawn = await ctx.clients.billing.withdrawCredit(
      {
        customerId: params.id,
        amountMicrocents: centsToMicrocents(BigInt(body.amount_cents)),
        cause: `withdrawal/${principal.projectId}/${params.id.toLowerCase()}/${key}`,
      },
      call,
    );
    return { body: { balance_microcents: toReportNumber(withdrawn.balanceMicrocents), applied: withdrawn.applied } };
  },
});

export const getCustomerSubscription = defineRoute({
  method: 'GET',
  path: '/customers/:id/subscription',
  tag: 'Customers',
  summary: "Get a customer's subscription",
  operationId: 'getCustomerSubscription',
  description: 'The subscription names the tier, its price and the current period.',
  auth: ['secret_key'],
  params: customerParams,
  success: { status: 200, schema: z.object({ subscription: subscriptionSchema }) },
  handler: async ({ params, call }, ctx) => {
    const { envelope } = await ctx.clients.billing.getCustomer({ by: { case: 'id', value: params.id } }, call);
    if (!envelope?.subscription) throw new AppError('NOT_FOUND', 'the customer has no subscription');
    return { body: { subscription: subscriptionJson(envelope.subscription) } };
  },
});

const at = (time: string | undefined) => (time === undefined ? undefined : timestampFromDate(new Date(time)));

/** For billing outside Tollgate (an external provider, an app store, crypto) and for free tiers. */
export const setCustomerSubscription = defineRoute({
  method: 'PUT',
  path: '/customers/:id/subscription',
  tag: 'Customers',
  summary: 'Set a subscription that is billed elsewhere, or move the customer to a free or PAYGO tier',
  operationId: 'setCustomerSubscription',
  description:
    'For subscriptions that another system bills. Paid tiers of the payment processor need a checkout instead.',
  auth: ['secret_key'],
  params: customerParams,
  body: subscriptionInputSchema,
  success: { status: 200, schema: z.object({ subscription: subscriptionSchema }) },
  refusals: [409],
  audit: 'subscription.updated',
  handler: async ({ params, body, principal, call }, ctx) => {
    const { subscription } = await ctx.clients.billing.setSubscription(
      {
        customerId: params.id,
        tierCode: body.tier_code,
        subscriptionStatus: body.subscription_status,
        billingProvider: body.billing_provider ?? '',
        billingCustomerId: body.billing_customer_id ?? '',
        billingSubscriptionId: body.billing_subscription_id ?? '',
        currentPeriodStart: at(body.current_period_start),
        currentPeriodEnd: at(body.current_period_end),
      },
      call,
    );
    ctx.customers.forget(principal.projectId, params.id);
    const changes = [{ field: 'tier_code', after: body.tier_code }];
    return { body: { subscription: subscription && subscriptionJson(subscription) }, audited: { changes } };
  },
});

export const cancelCustomerSubscription = defineRoute({
  method: 'DELETE',
  path: '/customers/:id/subscription',
  tag: 'Payments',
  summary: "Cancel a customer's subscription at the end of its period",
  operationId: 'cancelCustomerSubscription',
  description: 'The customer keeps the tier until the period ends.',
  auth: ['secret_key'],
  params: customerParams,
  success: { status: 204 },
  refusals: [409],
  audit: 'subscription.canceled',
  handler: async ({ params, call }, ctx) => {
    await ctx.clients.payments.cancelSubscription({ customerId: params.id }, call);
    return { status: 204 };
  },
});

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
