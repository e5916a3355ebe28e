import { appendEvents } from '@tollgate/events';
import { withTransaction } from '@tollgate/postgres';
import type Stripe from 'stripe';
import { ask, classifyFailure, contractError, toId } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { endOrder, type OrderStatus, type PaymentOrder } from '../../../store/payments/payment-orders.js';
import { finishUndo, noteReportedRefunds, takeOrdersToUndo } from '../../../store/payments/undone-orders.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { refundEvent } from '../refunds/end-refunds.js';
import { syncPayment } from '../webhook-events/sync-payment.js';
import { cancelAtProcessor } from './carry-out-requests.js';
import { findBoughtSubscription, findSession } from './find-purchase.js';
import { type Refund, refundPayment } from './refund-payment.js';

const BATCH_MAX = 20;
/** Usually longer than one attempt; concurrent attempts are harmless. */
const PAUSE_MS = 30_000;
/** Calls to the processor end sooner: an object it does not list after this time was never created. */
const CALL_OVER_MS = 120_000;
const LISTED_MAX = 100;
const FAILURE = 'its customer or project was deleted';

/** Undefined means: not finished, try again later. `payment`: what was found at the processor. */
type Undone = { status: Exclude<OrderStatus, 'open'>; refunds: Refund[]; payment?: string } | undefined;

/**
 * Undoes purchases whose customer or project was deleted: expires open pages, refunds payments, cancels subscriptions.
 * Each step starts from the processor's state, so it can be repeated after a crash. Returns true if there may be more.
 */
export async function undoOrders(ctx: PaymentContext): Promise<boolean> {
  const orders = await takeOrdersToUndo(ctx.pool, ctx.clock.now(), PAUSE_MS, BATCH_MAX);
  for (const order of orders) {
    try {
      const undone = await undo(ctx, order);
      if (undone) await finish(ctx, order, undone);
    } catch (err) {
      ctx.logger.warn({ err, order: order.id }, 'purchase not undone yet');
    }
  }
  return orders.length === BATCH_MAX;
}

async function undo(ctx: PaymentContext, order: PaymentOrder): Promise<Undone> {
  if (order.kind === 'tier_change') {
    const bought = await findBoughtSubscription(ctx, order);
    return bought ? undoSubscription(ctx, order, bought.id) : undoNothing(ctx, order);
  }
  const found = await findSession(ctx, order);
  const session = found?.status === 'open' ? await expireSession(ctx, found.id) : found;
  if (session?.status === 'complete') {
    const subscription = toId(session.subscription);
    if (subscription) return undoSubscription(ctx, order, subscription);
  }
  // The order has the payment if it arrived after the page was given up.
  const payment = toId(session?.payment_intent) ?? order.payment_intent_id;
  if (payment) return undoPayment(ctx, order, payment);
  return session ? { status: 'expired', refunds: [] } : undoNothing(ctx, order);
}

/** Gives up once the call that creates the object cannot be in progress anymore. */
function undoNothing(ctx: Pick<Context, 'clock'>, order: PaymentOrder): Undone {
  const isOver = ctx.clock.nowMs() - order.created_at.getTime() > CALL_OVER_MS;
  return isOver ? { status: 'failed', refunds: [] } : undefined;
}

/** Returns the session after the attempt: its payer may have paid first. */
async function expireSession(ctx: Pick<Context, 'processor'>, id: string): Promise<Stripe.Checkout.Session> {
  const { stripe } = requireProcessor(ctx);
  try {
    return await stripe.checkout.sessions.expire(id);
  } catch (error) {
    if (classifyFailure(error) === 'refused') return ask(stripe.checkout.sessions.retrieve(id));
    throw contractError(error);
  }
}

/** Books both the payment and its refund. */
async function undoPayment(ctx: PaymentContext, order: PaymentOrder, payment: string): Promise<Undone> {
  const intent = await ask(requireProcessor(ctx).stripe.paymentIntents.retrieve(payment));
  if (intent.status === 'canceled') return { status: 'failed', refunds: [], payment };
  if (intent.status !== 'succeeded') return undefined;
  await syncPayment(ctx, payment);
  const refund = await refundPayment(ctx, order.id, payment);
  await syncPayment(ctx, payment);
  return { status: 'completed', refunds: refund ? [refund] : [], payment };
}

async function undoSubscription(ctx: PaymentContext, order: PaymentOrder, id: string): Promise<Undone> {
  await cancelAtProcessor(ctx, id);
  const refunds: Refund[] = [];
  for (const payment of await listPayments(ctx, id)) {
    const refund = await refundPayment(ctx, order.id, payment);
    if (refund) refunds.push(refund);
  }
  return { status: 'completed', refunds };
}

async function listPayments(ctx: Pick<Context, 'processor'>, subscription: string): Promise<string[]> {
  const { stripe } = requireProcessor(ctx);
  const invoices = await ask(stripe.invoices.list({ subscription, limit: LISTED_MAX }));
  const payments: string[] = [];
  for (const invoice of invoices.data) {
    const paid = await ask(stripe.invoicePayments.list({ invoice: invoice.id, status: 'paid', limit: LISTED_MAX }));
    payments.push(...paid.data.flatMap(({ payment }) => toId(payment.payment_intent) ?? []));
  }
  return payments;
}

async function finish(
  ctx: Pick<Context, 'clock' | 'logger' | 'pool' | 'relay'>,
  order: PaymentOrder,
  undone: NonNullable<Undone>,
): Promise<void> {
  const payments = [order.payment_intent_id, undone.payment].filter((id) => typeof id === 'string');
  const refundedCents = await withTransaction(ctx.pool, async (tx) => {
    if (!(await finishUndo(tx, order.id, payments))) return 0n;
    const failure = undone.status === 'completed' ? undefined : FAILURE;
    await endOrder(tx, order.id, { status: undone.status, at: ctx.clock.now(), failure });
    const unreported = await noteReportedRefunds(tx, order.id, undone.refunds);
    const cents = unreported.reduce((sum, refund) => sum + refund.cents, 0n);
    if (cents > 0n)
      await appendEvents(tx, [refundEvent({ ...order, currency: unreported[0]?.currency ?? null }, cents)]);
    return cents;
  });
  ctx.relay.wake();
  ctx.logger.info({ order: order.id, status: undone.status, refunded_cents: Number(refundedCents) }, 'purchase undone');
}
