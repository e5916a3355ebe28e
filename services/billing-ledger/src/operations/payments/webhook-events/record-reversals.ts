import { randomUUID } from 'node:crypto';
import { appendEvents } from '@tollgate/events';
import type { Tx } from '@tollgate/postgres';
import type { Context } from '../../../context.js';
import { type PaymentState, toDisputeStatus, toRefundStatus } from '../../../domain/payments/payment-entries.js';
import { type ProcessorPayment, putProcessorPayment } from '../../../store/payments/processor-payments.js';
import { disputeOpenedEvent, type ReportedPayment } from './payment-events.js';

type Reversal = Pick<ProcessorPayment, 'ref' | 'kind' | 'status' | 'amountCents' | 'createdAt' | 'failure'>;

/**
 * Records the refunds and disputes of a customer's payment, and emits one event for each dispute that took money. With
 * `isHistory`, emits none: the owner has known of them for long.
 */
export async function recordReversals(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  payment: ReportedPayment,
  { state, ticket, isHistory = false }: { state: PaymentState; ticket: bigint; isHistory?: boolean },
): Promise<void> {
  const put = (reversal: Reversal) =>
    putProcessorPayment(
      tx,
      { ...toPayer(payment), parentId: payment.id, reversedCents: 0n, ...reversal, paidAt: reversal.createdAt },
      { newId: randomUUID(), ticket },
    );
  for (const { id: ref, cents, status: reported, createdAt = ctx.clock.now() } of state.refunds) {
    const status = toRefundStatus(reported);
    if (status) await put({ ref, kind: 'refund', status, amountCents: cents, createdAt });
  }
  for (const { id: ref, cents, status: reported, reason, createdAt = ctx.clock.now() } of state.disputes) {
    const status = toDisputeStatus(reported);
    const recorded =
      status && (await put({ ref, kind: 'dispute', status, amountCents: cents, createdAt, failure: reason }));
    if (!recorded || recorded.before || isHistory) continue;
    const dispute = { id: recorded.id, amountCents: cents, reason: reason ?? '' };
    await appendEvents(tx, [disputeOpenedEvent(payment, dispute)]);
  }
}

function toPayer({ accountId, projectId, customerId, currency }: ReportedPayment) {
  return { accountId, projectId, customerId, currency: currency ?? '' };
}
