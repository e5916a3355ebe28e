import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import { ask, classifyFailure, contractError, isProcessorError } from '../../../clients/processor.js';
import { lockOrder, type PaymentOrder } from '../../../store/payments/payment-orders.js';
import type { PaymentRefund } from '../../../store/payments/payment-refunds.js';
import { readRefundId, refundMetadata } from '../orders/order-metadata.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { syncPayment } from '../webhook-events/sync-payment.js';
import { endReservedRefund } from './end-refunds.js';

const LISTED_MAX = 100;

/**
 * Sends a reserved refund to the processor and books it. Looks for an earlier call's refund first if there may be one,
 * because the processor keeps idempotency keys for only a day. A refused refund gives its reservation back.
 *
 * @throws AppError CONFLICT if the processor refused it
 */
export async function sendRefund(
  ctx: PaymentContext,
  order: PaymentOrder,
  refund: PaymentRefund,
  { mayExist }: { mayExist: boolean },
): Promise<void> {
  const payment = order.payment_intent_id ?? '';
  const isSent = (mayExist && (await isMade(ctx, payment, refund.id))) || (await create(ctx, payment, order, refund));
  if (!isSent) return;
  try {
    await syncPayment(ctx, payment);
  } catch (err) {
    // The webhook event or the worker books it.
    ctx.logger.warn({ err, refund: refund.id }, 'refund not booked yet; it will be retried');
  }
}

async function isMade(ctx: PaymentContext, payment: string, refundId: string): Promise<boolean> {
  const { stripe } = requireProcessor(ctx);
  const made = await ask(stripe.refunds.list({ payment_intent: payment, limit: LISTED_MAX }));
  return made.data.some(({ metadata }) => readRefundId(metadata) === refundId);
}

/** Returns false if the outcome is unknown. */
async function create(
  ctx: PaymentContext,
  payment: string,
  order: PaymentOrder,
  { id, amount_cents: cents }: PaymentRefund,
): Promise<boolean> {
  const { stripe } = requireProcessor(ctx);
  const params = { payment_intent: payment, amount: Number(cents), metadata: refundMetadata(id) };
  try {
    await stripe.refunds.create(params, { idempotencyKey: `refund/${id}` });
    return true;
  } catch (error) {
    if (classifyFailure(error) === 'unknown') {
      ctx.logger.warn({ err: error, order: order.id, refund: id }, 'refund has no outcome yet; it will be retried');
      return false;
    }
    const failure = error instanceof Error ? error.message : String(error);
    await withTransaction(ctx.pool, async (tx) => {
      await lockOrder(tx, order.id);
      await endReservedRefund(tx, id, { status: 'failed', at: ctx.clock.now(), failure });
    });
    ctx.logger.warn({ err: error, order: order.id, refund: id }, 'refund refused');
    if (!isProcessorError(error) || error.type !== 'StripeInvalidRequestError') throw contractError(error);
    throw new AppError('CONFLICT', `the card processor refused the refund: ${failure}`, { cause: error });
  }
}
