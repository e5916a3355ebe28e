import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { eventTypes, newEvent, type OutboxEvent } from '@tollgate/events';

/** A payment of a customer, as events state it. */
export interface ReportedPayment {
  /** The id of its record. */
  id: string;
  kind: string;
  accountId: string;
  projectId: string;
  customerId: string;
  currency: string | null;
  amountCents: bigint;
  taxCents?: bigint | undefined;
  period?: { start: Date; end: Date } | undefined;
  invoiceUrl?: string | undefined;
  receiptUrl?: string | undefined;
}

export function paymentSucceededEvent(payment: ReportedPayment): OutboxEvent {
  const { id: paymentId, kind, amountCents, taxCents, period, invoiceUrl = '', receiptUrl = '' } = payment;
  return newEvent(eventTypes.paymentSucceeded, {
    key: payment.customerId,
    message: {
      ...toPayer(payment),
      ...{ paymentId, kind, amountCents, invoiceUrl, receiptUrl, taxCents: taxCents ?? 0n },
      ...(period && { periodStart: timestampFromDate(period.start), periodEnd: timestampFromDate(period.end) }),
    },
  });
}

export function attemptFailedEvent(payment: ReportedPayment, reason: string): OutboxEvent {
  const { id: orderId, kind: purchase, amountCents, invoiceUrl = '' } = payment;
  return newEvent(eventTypes.paymentFailed, {
    key: payment.customerId,
    message: { ...toPayer(payment), orderId, purchase, amountCents, reason, invoiceUrl },
  });
}

export function paymentRefundedEvent(payment: ReportedPayment, amountCents: bigint): OutboxEvent {
  const { id: orderId, kind: purchase } = payment;
  return newEvent(eventTypes.paymentRefunded, {
    key: payment.customerId,
    message: { ...toPayer(payment), orderId, purchase, amountCents },
  });
}

export function disputeOpenedEvent(
  payment: ReportedPayment,
  dispute: { id: string; amountCents: bigint; reason: string },
): OutboxEvent {
  const { id: disputeId, amountCents, reason } = dispute;
  return newEvent(eventTypes.disputeOpened, {
    key: payment.customerId,
    message: { ...toPayer(payment), paymentId: payment.id, kind: payment.kind, disputeId, amountCents, reason },
  });
}

function toPayer({ accountId, projectId, customerId, currency }: ReportedPayment) {
  return { accountId, projectId, customerId, currency: currency ?? '' };
}
