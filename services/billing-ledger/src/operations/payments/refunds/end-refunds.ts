import { appendEvents, eventTypes, newEvent, type OutboxEvent } from '@tollgate/events';
import { centsToMicrocents } from '@tollgate/money';
import type { Tx } from '@tollgate/postgres';
import { REFUND_TAKEN } from '../../../domain/payments/payment-entries.js';
import { changeHeld, lockAccounts } from '../../../store/accounts.js';
import type { PaymentOrder } from '../../../store/payments/payment-orders.js';
import { endRefund, type PaymentRefund } from '../../../store/payments/payment-refunds.js';
import { CURRENCY } from '../checkouts/create-top-up.js';

/** A refund at the processor. */
export interface ProcessorRefund {
  status: string;
  /** The id of the request here; undefined if the refund was made elsewhere. */
  requestId: string | undefined;
}

const FAILED = new Set(['failed', 'canceled']);
const BANK_FAILURE = "the payer's bank did not accept the refund";

/**
 * Ends the requested refunds whose outcome the processor reports, and emits one event for each that succeeded. Runs in
 * the transaction that books them: a wallet never shows both the reservation and the refund.
 */
export async function endRefunds(
  tx: Tx,
  order: PaymentOrder,
  refunds: readonly ProcessorRefund[],
  at: Date,
): Promise<number> {
  let ended = 0;
  for (const { requestId, status } of refunds) {
    const isTaken = REFUND_TAKEN.has(status);
    if (requestId === undefined || !(isTaken || FAILED.has(status))) continue;
    const end = isTaken
      ? { status: 'succeeded' as const, at }
      : { status: 'failed' as const, at, failure: BANK_FAILURE };
    const refund = await endReservedRefund(tx, requestId, end);
    if (!refund) continue;
    ended += 1;
    if (isTaken) await appendEvents(tx, [refundEvent(order, refund.amount_cents)]);
  }
  return ended;
}

/** Ends a refund and gives its reservation back, once. The caller has locked the order. */
export async function endReservedRefund(
  tx: Tx,
  id: string,
  end: Parameters<typeof endRefund>[2],
): Promise<PaymentRefund | undefined> {
  const ended = await endRefund(tx, id, end);
  if (!ended) return undefined;
  const { refund, before } = ended;
  if (before === 'pending') {
    await lockAccounts(tx, [refund.account_id]);
    await changeHeld(tx, refund.account_id, -centsToMicrocents(refund.amount_cents));
  }
  return refund;
}

export function refundEvent(order: PaymentOrder, amountCents: bigint): OutboxEvent {
  return newEvent(eventTypes.paymentRefunded, {
    key: order.customer_id ?? order.account_id,
    message: {
      accountId: order.account_id,
      projectId: order.project_id ?? '',
      customerId: order.customer_id ?? '',
      orderId: order.id,
      purchase: order.kind,
      amountCents,
      currency: order.currency ?? CURRENCY,
    },
  });
}
