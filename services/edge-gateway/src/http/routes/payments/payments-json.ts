import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { myPaymentListQuery } from '@tollgate/api/billing';
import type { Subscription } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type {
  AutoTopUp,
  CardVerification,
  ListProjectPaymentsResponse,
  Payment,
  PaymentTotals,
  Refund,
  SavedCard,
  TopUp,
} from '@tollgate/contracts/billing/v1/payments_pb.js';
import { toJsonNumber } from '@tollgate/money';
import type { z } from 'zod';
import { toCursor } from '../../../domain/reports/list-cursor.js';
import { requirePlace } from '../require-place.js';
import { timeJson } from '../to-json.js';

/** Renders a customer's new top-up. */
export function walletTopUpJson(topUp: TopUp | undefined) {
  return (
    topUp && {
      id: topUp.id,
      session_id: topUp.sessionId,
      url: topUp.url,
      checkout_url: topUp.url,
      credit_amount_cents: toJsonNumber(topUp.amountCents),
      status: topUp.status,
    }
  );
}

export function accountTopUpJson(topUp: TopUp | undefined) {
  return (
    topUp && {
      id: topUp.id,
      session_id: topUp.sessionId || undefined,
      checkout_url: topUp.url || undefined,
      amount_cents: toJsonNumber(topUp.amountCents),
      currency: topUp.currency,
      status: topUp.status,
      automatic: topUp.automatic,
      reversed_cents: toJsonNumber(topUp.reversedCents),
      created_at: timeJson(topUp.createdAt),
      completed_at: timeJson(topUp.completedAt),
    }
  );
}

export function paymentJson(payment: Payment) {
  return {
    id: payment.id,
    kind: payment.kind,
    status: payment.status,
    customer_id: payment.customerId || undefined,
    tier_id: payment.tierId || undefined,
    parent_id: payment.parentId || undefined,
    amount_cents: payment.amountCents === undefined ? undefined : toJsonNumber(payment.amountCents),
    tax_cents: payment.taxCents === undefined ? undefined : toJsonNumber(payment.taxCents),
    currency: payment.currency || undefined,
    period_start: timeJson(payment.periodStart),
    period_end: timeJson(payment.periodEnd),
    invoice_url: payment.invoiceUrl || undefined,
    receipt_url: payment.receiptUrl || undefined,
    reversed_cents: toJsonNumber(payment.reversedCents),
    failure: payment.failure || undefined,
    undone: payment.isUndone,
    created_at: timeJson(payment.createdAt),
    ended_at: timeJson(payment.endedAt),
  };
}

export function paymentTotalsJson(totals: PaymentTotals) {
  const { currency, receivedCents, taxCents, refundedCents, disputedCents, count } = totals;
  return {
    currency,
    received_cents: toJsonNumber(receivedCents),
    tax_cents: toJsonNumber(taxCents),
    refunded_cents: toJsonNumber(refundedCents),
    disputed_cents: toJsonNumber(disputedCents),
    net_cents: toJsonNumber(receivedCents - refundedCents - disputedCents),
    count: toJsonNumber(count),
  };
}

/** Returns what a page of payments asks the ledger for. */
export function paymentPage(query: z.infer<typeof myPaymentListQuery>) {
  const { limit, cursor, kind = '', status = '', from, to } = query;
  const after = cursor === undefined ? undefined : requirePlace(cursor);
  return {
    ...{ limit, kind, status },
    ...(after && { afterCreatedAt: timestampFromDate(after.at), afterId: after.id }),
    ...(from !== undefined && { from: timestampFromDate(new Date(from)) }),
    ...(to !== undefined && { to: timestampFromDate(new Date(to)) }),
  };
}

export function paymentListJson({ payments, hasMore }: Pick<ListProjectPaymentsResponse, 'payments' | 'hasMore'>) {
  const last = payments.at(-1);
  return {
    payments: payments.map(paymentJson),
    ...(hasMore && last?.createdAt && { next_cursor: toCursor({ at: timestampDate(last.createdAt), id: last.id }) }),
  };
}

export function refundJson(refund: Refund) {
  return {
    id: refund.id,
    payment_id: refund.paymentId,
    amount_cents: toJsonNumber(refund.amountCents),
    currency: refund.currency || undefined,
    status: refund.status,
    failure: refund.failure || undefined,
    created_at: timeJson(refund.createdAt),
    ended_at: timeJson(refund.endedAt),
  };
}

/** Renders the subscription after a tier change (SPEC "Customer self-service"). */
export function changedSubscriptionJson(s: Subscription | undefined) {
  return (
    s && {
      tier_code: s.tierCode,
      tier_display_name: s.tierDisplayName,
      price_amount_cents: s.priceAmountCents === undefined ? undefined : toJsonNumber(s.priceAmountCents),
      price_currency: s.priceCurrency || undefined,
      price_interval: s.priceInterval || undefined,
      subscription_status: s.subscriptionStatus,
      current_period_start: timeJson(s.currentPeriodStart),
      current_period_end: timeJson(s.currentPeriodEnd),
    }
  );
}

export function autoTopUpJson(settings: AutoTopUp | undefined) {
  const limits = settings?.limits;
  return {
    enabled: settings?.enabled ?? false,
    threshold_cents: toJsonNumber(settings?.thresholdCents ?? 0n),
    amount_cents: toJsonNumber(settings?.amountCents ?? 0n),
    failure_count: toJsonNumber(settings?.failureCount ?? 0n),
    limits: {
      min_topup_cents: toJsonNumber(limits?.minTopupCents ?? 0n),
      max_single_cents: toJsonNumber(limits?.maxSingleCents ?? 0n),
      max_daily_cents: toJsonNumber(limits?.maxDailyCents ?? 0n),
      max_monthly_cents: toJsonNumber(limits?.maxMonthlyCents ?? 0n),
    },
    payment_method: settings?.paymentMethod && cardJson(settings.paymentMethod),
    last_triggered_at: timeJson(settings?.lastTriggeredAt),
  };
}

function cardJson(card: SavedCard) {
  return {
    id: card.id,
    brand: card.brand,
    last4: card.last4,
    exp_month: toJsonNumber(card.expMonth),
    exp_year: toJsonNumber(card.expYear),
  };
}

/** Includes details only when a verification exists. */
export function cardVerificationJson(outcome: CardVerification | undefined) {
  if (!outcome?.verified) return { verified: false, credit_granted: false };
  return {
    verified: true,
    credit_granted: outcome.creditGranted,
    verified_at: timeJson(outcome.verifiedAt),
    card_brand: outcome.cardBrand,
    card_last4: outcome.cardLast4,
    grant_amount_cents: toJsonNumber(outcome.grantAmountCents),
    grant_already_used_by_card: outcome.grantAlreadyUsedByCard,
  };
}
