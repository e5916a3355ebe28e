import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type {
  AutoTopUpSchema,
  CardVerificationSchema,
  GetProjectPaymentResponseSchema,
  PaymentSchema,
  PreviewTierChangeResponseSchema,
  RefundSchema,
  SavedCardSchema,
  StartCardVerificationResponseSchema,
  TopUpSchema,
} from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { TopUpLimits } from '../domain/payments/auto-top-up.js';
import type { TopUpRecord } from '../operations/payments/checkouts/create-top-up.js';
import type { OpenSession } from '../operations/payments/orders/open-order.js';
import type { PaymentDetail } from '../operations/payments/refunds/read-payment.js';
import type { TierChangePreview } from '../operations/payments/tier-changes/preview-tier-change.js';
import type { AutoTopUpRow } from '../store/payments/auto-topups.js';
import type { CardVerificationRow } from '../store/payments/card-verifications.js';
import type { ListedPayment, PaymentOrder } from '../store/payments/payment-orders.js';
import type { PaymentRefund } from '../store/payments/payment-refunds.js';

export function topUpToProto(order: TopUpRecord): MessageInitShape<typeof TopUpSchema> {
  return {
    id: order.id,
    sessionId: order.session_id ?? '',
    url: order.session_url ?? '',
    amountCents: order.amount_cents ?? 0n,
    currency: order.currency ?? '',
    status: order.status === 'open' ? 'pending' : order.status,
    reversedCents: order.reversed_cents,
    automatic: order.kind === 'auto_topup',
    createdAt: timestampFromDate(order.created_at),
    ...(order.status === 'completed' && order.ended_at && { completedAt: timestampFromDate(order.ended_at) }),
  };
}

/** A refund that is not confirmed is pending, as a purchase that is not paid. */
const PENDING: ReadonlySet<string> = new Set(['open', 'processing']);

export function paymentToProto(payment: ListedPayment): MessageInitShape<typeof PaymentSchema> {
  const { period_start: start, period_end: end, ended_at: ended } = payment;
  return {
    id: payment.id,
    kind: payment.kind,
    status: PENDING.has(payment.status) ? 'pending' : payment.status,
    customerId: payment.customer_id ?? '',
    tierId: payment.tier_id ?? '',
    ...(payment.amount_cents !== null && { amountCents: payment.amount_cents }),
    ...(payment.tax_cents !== null && { taxCents: payment.tax_cents }),
    currency: payment.currency ?? '',
    reversedCents: payment.reversed_cents,
    failure: payment.failure ?? '',
    isUndone: payment.undo_requested_at !== null,
    parentId: payment.parent_id ?? '',
    invoiceUrl: payment.invoice_url ?? '',
    receiptUrl: payment.receipt_url ?? '',
    createdAt: timestampFromDate(payment.created_at),
    ...(ended && { endedAt: timestampFromDate(ended) }),
    ...(start && end && { periodStart: timestampFromDate(start), periodEnd: timestampFromDate(end) }),
  };
}

export function refundToProto(
  refund: PaymentRefund,
  { currency }: Pick<PaymentOrder, 'currency'>,
): MessageInitShape<typeof RefundSchema> {
  return {
    id: refund.id,
    paymentId: refund.order_id,
    amountCents: refund.amount_cents,
    currency: currency ?? '',
    status: refund.status,
    failure: refund.failure ?? '',
    createdAt: timestampFromDate(refund.created_at),
    ...(refund.ended_at && { endedAt: timestampFromDate(refund.ended_at) }),
  };
}

export function paymentDetailToProto(detail: PaymentDetail): MessageInitShape<typeof GetProjectPaymentResponseSchema> {
  const { payment, refundableCents, refunds } = detail;
  return {
    payment: paymentToProto(payment),
    refundableCents,
    refunds: refunds.map((refund) => refundToProto(refund, payment)),
  };
}

/** An account without settings has automatic top-ups disabled. */
export function autoTopUpToProto(
  row: AutoTopUpRow | undefined,
  limits: TopUpLimits,
): MessageInitShape<typeof AutoTopUpSchema> {
  return {
    enabled: row?.is_enabled ?? false,
    thresholdCents: row?.threshold_cents ?? 0n,
    amountCents: row?.amount_cents ?? 0n,
    failureCount: BigInt(row?.failure_count ?? 0),
    limits: {
      minTopupCents: limits.minCents,
      maxSingleCents: limits.maxSingleCents,
      maxDailyCents: limits.maxDailyCents,
      maxMonthlyCents: limits.maxMonthlyCents,
    },
    ...(row?.card_id && { paymentMethod: cardToProto(row, row.card_id) }),
    ...(row?.last_triggered_at && { lastTriggeredAt: timestampFromDate(row.last_triggered_at) }),
  };
}

function cardToProto(row: AutoTopUpRow, id: string): MessageInitShape<typeof SavedCardSchema> {
  return {
    id,
    brand: row.card_brand ?? '',
    last4: row.card_last4 ?? '',
    expMonth: BigInt(row.card_exp_month ?? 0),
    expYear: BigInt(row.card_exp_year ?? 0),
  };
}

export function sessionToProto(session: OpenSession): MessageInitShape<typeof StartCardVerificationResponseSchema> {
  return {
    verificationId: session.orderId,
    checkoutSessionId: session.sessionId,
    checkoutUrl: session.url,
    expiresAt: timestampFromDate(session.expiresAt),
  };
}

export function cardVerificationToProto(
  row: CardVerificationRow | undefined,
): MessageInitShape<typeof CardVerificationSchema> {
  if (!row) return { verified: false };
  return {
    verified: true,
    creditGranted: row.grant_amount_cents > 0n,
    verifiedAt: timestampFromDate(row.verified_at),
    cardBrand: row.card_brand,
    cardLast4: row.card_last4,
    grantAmountCents: row.grant_amount_cents,
    grantAlreadyUsedByCard: row.is_grant_used_by_card,
  };
}

export function tierChangePreviewToProto(
  preview: TierChangePreview,
): MessageInitShape<typeof PreviewTierChangeResponseSchema> {
  const { action, currency, dueNowCents, creditCents, effectiveAt, next, trialDays } = preview;
  return {
    action,
    currency,
    dueNowCents,
    creditCents,
    ...(effectiveAt && { effectiveAt: timestampFromDate(effectiveAt) }),
    ...(next && { nextAmountCents: next.cents, nextAt: timestampFromDate(next.at) }),
    ...(trialDays !== undefined && { trialDays }),
  };
}
