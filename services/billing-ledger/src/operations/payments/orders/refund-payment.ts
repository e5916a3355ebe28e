import type Stripe from 'stripe';
import { ask, contractError, isProcessorError } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { requireProcessor } from '../payment-context.js';
import { orderMetadata, readOrderId } from './order-metadata.js';

const REFUNDS_MAX = 100;
/** The money was already returned: refunded by the owner, or charged back. */
const NOTHING_LEFT = new Set(['charge_already_refunded', 'charge_disputed']);

export interface Refund {
  /** The processor's id. */
  id: string;
  cents: bigint;
  currency: string;
}

/**
 * Refunds the rest of an order's payment once and returns the refund, or undefined if nothing was left. Looks for an
 * earlier refund first, because the processor keeps idempotency keys for only a day.
 */
export async function refundPayment(
  ctx: Pick<Context, 'processor'>,
  orderId: string,
  payment: string,
): Promise<Refund | undefined> {
  const { stripe } = requireProcessor(ctx);
  const made = await ask(stripe.refunds.list({ payment_intent: payment, limit: REFUNDS_MAX }));
  const ours = made.data.find(({ metadata }) => readOrderId(metadata) === orderId);
  if (ours) return toRefund(ours);
  try {
    const params = { payment_intent: payment, metadata: orderMetadata(orderId) };
    return toRefund(await stripe.refunds.create(params, { idempotencyKey: `refund/${orderId}/${payment}` }));
  } catch (error) {
    if (isProcessorError(error) && NOTHING_LEFT.has(error.code ?? '')) return undefined;
    throw contractError(error);
  }
}

const toRefund = ({ id, amount, currency }: Stripe.Refund): Refund => ({ id, cents: BigInt(amount), currency });
