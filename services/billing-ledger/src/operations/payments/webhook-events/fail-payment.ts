import { appendEvents, eventTypes, newEvent, type OutboxEvent } from '@tollgate/events';
import { withTransaction } from '@tollgate/postgres';
import { backoffMs, FAILURES_MAX } from '../../../domain/payments/auto-top-up.js';
import { keepCustomer } from '../../../store/customers/customers.js';
import { lockAutoTopUp, noteFailure } from '../../../store/payments/auto-topups.js';
import { endOrder, lockOrder, notePayment, type PaymentOrder } from '../../../store/payments/payment-orders.js';
import { undoOrder } from '../../../store/payments/undone-orders.js';
import { CURRENCY } from '../checkouts/create-top-up.js';
import type { PaymentContext } from '../payment-context.js';

interface FailedPayment {
  intentId: string;
  cents: bigint;
  currency: string;
  reason: string;
}

/**
 * Records a payment that will not be credited and emits one event, however often the processor reports it. A payment for a
 * deleted customer or project is also undone, because the processor may have its money.
 */
export async function failPayment(ctx: PaymentContext, order: PaymentOrder, payment: FailedPayment): Promise<void> {
  const { intentId, reason } = payment;
  const isFirst = await withTransaction(ctx.pool, async (tx) => {
    const isDeleted = order.customer_id !== null && !(await keepCustomer(tx, order.customer_id));
    const locked = await lockOrder(tx, order.id);
    if (!locked || locked.payment_intent_id === intentId) return false;
    await notePayment(tx, order.id, { intentId, newlyReversedCents: 0n });
    await endOrder(tx, order.id, { status: 'failed', at: ctx.clock.now(), failure: reason });
    if (isDeleted || locked.undo_requested_at) await undoOrder(tx, order.id, ctx.clock.now());
    await appendEvents(tx, [paymentFailedEvent(order, payment)]);
    return true;
  });
  if (!isFirst) return;
  ctx.metrics.paid('failed');
  ctx.orders.wake();
  ctx.relay.wake();
  ctx.logger.warn({ order: order.id, payment: intentId, reason }, 'payment not credited');
}

/** Counts the failure once per order, pauses charges, and switches them off after too many consecutive failures. */
export async function failAutoTopUp(ctx: PaymentContext, order: PaymentOrder, reason: string): Promise<void> {
  const isFirst = await withTransaction(ctx.pool, async (tx) => {
    const row = await lockAutoTopUp(tx, order.account_id);
    const locked = await lockOrder(tx, order.id);
    if (locked?.status !== 'open') return false;
    await endOrder(tx, order.id, { status: 'failed', at: ctx.clock.now(), failure: reason });
    const count = (row?.failure_count ?? 0) + 1;
    const isLast = count >= FAILURES_MAX;
    const nextAttemptAt = new Date(ctx.clock.nowMs() + backoffMs(count));
    await noteFailure(tx, order.account_id, { count, nextAttemptAt, isLast });
    await appendEvents(tx, [autoTopUpFailedEvent(order, { reason, failureCount: count, isStopped: isLast })]);
    return true;
  });
  if (isFirst) {
    ctx.metrics.paid('failed');
    ctx.relay.wake();
  }
  ctx.logger.warn({ order: order.id, account: order.account_id, reason }, 'automatic top-up failed');
}

function paymentFailedEvent(order: PaymentOrder, { cents, currency, reason }: FailedPayment): OutboxEvent {
  return newEvent(eventTypes.paymentFailed, {
    key: order.customer_id ?? order.account_id,
    message: {
      accountId: order.account_id,
      projectId: order.project_id ?? '',
      customerId: order.customer_id ?? '',
      orderId: order.id,
      purchase: order.kind,
      amountCents: cents,
      currency,
      reason,
    },
  });
}

function autoTopUpFailedEvent(
  order: PaymentOrder,
  failure: { reason: string; failureCount: number; isStopped: boolean },
): OutboxEvent {
  return newEvent(eventTypes.autoTopUpFailed, {
    key: order.account_id,
    message: {
      accountId: order.account_id,
      orderId: order.id,
      amountCents: order.amount_cents ?? 0n,
      currency: order.currency ?? CURRENCY,
      ...failure,
    },
  });
}
