import type Stripe from 'stripe';
import { askForMaybe, toId } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { endOrder, findOrder, findOrderBy, type PaymentOrder } from '../../../store/payments/payment-orders.js';
import { completeCardSetup } from '../cards/card-setup.js';
import { readOrderId } from '../orders/order-metadata.js';
import { payerOfOrder } from '../orders/payer-of-order.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { settleVerification } from './settle-verification.js';
import { syncPayment } from './sync-payment.js';
import { syncSubscription } from './sync-subscription.js';

/** Reads a checkout session from the processor and applies its state. */
export async function syncCheckout(ctx: PaymentContext, sessionId: string): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const session = await askForMaybe(
    stripe.checkout.sessions.retrieve(sessionId, { expand: ['setup_intent.payment_method'] }),
  );
  const order = session && (await findOrderOfSession(ctx, session));
  if (!order) return;
  if (session.status === 'expired') await endOrder(ctx.pool, order.id, { status: 'expired', at: ctx.clock.now() });
  if (session.status === 'complete') await complete(ctx, order, session);
}

/** Uses the metadata first: a webhook event may arrive before the call that creates the session returns. */
async function findOrderOfSession(
  ctx: Pick<Context, 'pool'>,
  session: Stripe.Checkout.Session,
): Promise<PaymentOrder | undefined> {
  const id = readOrderId(session.metadata);
  return id ? findOrder(ctx.pool, id) : findOrderBy(ctx.pool, 'session_id', session.id);
}

async function complete(ctx: PaymentContext, order: PaymentOrder, session: Stripe.Checkout.Session): Promise<void> {
  const paymentId = toId(session.payment_intent);
  if (order.kind === 'card_verification') await settleVerification(ctx, order, session);
  else if (order.kind === 'card_setup') await completeCardSetup(ctx, order, session);
  else if (order.kind === 'subscription') await completeSubscription(ctx, order, session);
  else if (paymentId) await syncPayment(ctx, paymentId, 'complete');
}

async function completeSubscription(
  ctx: PaymentContext,
  order: PaymentOrder,
  session: Stripe.Checkout.Session,
): Promise<void> {
  const processorCustomerId = toId(session.customer);
  const subscriptionId = toId(session.subscription);
  if (!processorCustomerId || !subscriptionId) return;
  await payerOfOrder(ctx, order.id, { processorCustomerId, email: session.customer_details?.email ?? undefined });
  await syncSubscription(ctx, subscriptionId);
  await endOrder(ctx.pool, order.id, { status: 'completed', at: ctx.clock.now() });
}
