import type Stripe from 'stripe';
import { askForMaybe, idOf } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { endOrder, findOrder, findOrderBy, type PaymentOrder } from '../../../store/payments/payment-orders.js';
import { orderIdOf } from '../orders/order-metadata.js';
import { payerOfOrder } from '../orders/payer-of-order.js';
import { requireProcessor } from '../require-processor.js';
import { settleVerification } from './settle-verification.js';
import { syncPayment } from './sync-payment.js';
import { syncSubscription } from './sync-subscription.js';

/** Reads a checkout at the processor and lets what came of it take effect. */
export async function syncCheckout(ctx: Context, sessionId: string): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const session = await askForMaybe(
    stripe.checkout.sessions.retrieve(sessionId, { expand: ['setup_intent.payment_method'] }),
  );
  const order = session && (await orderOf(ctx, session));
  if (!order) return;
  if (session.status === 'expired') await endOrder(ctx.pool, order.id, { status: 'expired', at: ctx.clock.now() });
  if (session.status === 'complete') await complete(ctx, order, session);
}

/** The notice may be here before our own call that made the session has returned: then only the metadata knows. */
async function orderOf(ctx: Context, session: Stripe.Checkout.Session): Promise<PaymentOrder | undefined> {
  const id = orderIdOf(session.metadata);
  return id ? findOrder(ctx.pool, id) : findOrderBy(ctx.pool, 'session_id', session.id);
}

async function complete(ctx: Context, order: PaymentOrder, session: Stripe.Checkout.Session): Promise<void> {
  const paymentId = idOf(session.payment_intent);
  if (order.kind === 'card_verification') await settleVerification(ctx, order, session);
  else if (order.kind === 'subscription') await completeSubscription(ctx, order, session);
  else if (paymentId) await syncPayment(ctx, paymentId);
}

async function completeSubscription(
  ctx: Context,
  order: PaymentOrder,
  session: Stripe.Checkout.Session,
): Promise<void> {
  const processorCustomerId = idOf(session.customer);
  const subscriptionId = idOf(session.subscription);
  if (!processorCustomerId || !subscriptionId) return;
  await payerOfOrder(ctx, order.id, { processorCustomerId, email: session.customer_details?.email ?? undefined });
  await syncSubscription(ctx, subscriptionId);
  await endOrder(ctx.pool, order.id, { status: 'completed', at: ctx.clock.now() });
}
