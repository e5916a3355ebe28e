import { isAppError } from '@tollgate/errors';
import { findOrder } from '../../../store/payments/payment-orders.js';
import { takeOverdueRefunds } from '../../../store/payments/payment-refunds.js';
import type { PaymentContext } from '../payment-context.js';
import { sendRefund } from './send-refund.js';

const BATCH_MAX = 20;
const PAUSE_MS = 60_000;

/** Finds or repeats refunds whose call had no outcome. Returns true if there may be more. */
export async function resolveRefunds(ctx: PaymentContext): Promise<boolean> {
  const refunds = await takeOverdueRefunds(ctx.pool, ctx.clock.now(), PAUSE_MS, BATCH_MAX);
  for (const refund of refunds) {
    try {
      const order = await findOrder(ctx.pool, refund.order_id);
      if (order) await sendRefund(ctx, order, refund, { mayExist: true });
    } catch (err) {
      // A refused refund has ended; any other failure is retried after its delay.
      if (!isAppError(err) || err.code !== 'CONFLICT')
        ctx.logger.warn({ err, refund: refund.id }, 'refund not resolved; it will be retried');
    }
  }
  return refunds.length === BATCH_MAX;
}
