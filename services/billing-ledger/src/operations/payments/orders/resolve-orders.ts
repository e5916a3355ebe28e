import { ask } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { endOrder, type PaymentOrder, takeOverdueOrders } from '../../../store/payments/payment-orders.js';
import { findProcessorCustomer } from '../../../store/payments/processor-customers.js';
import { drawTicket, takeOverdueSubscriptions } from '../../../store/payments/processor-subscriptions.js';
import { syncCardSetup } from '../cards/card-setup.js';
import { chargeAutoTopUp } from '../cards/charge-auto-top-up.js';
import { requireProcessor } from '../require-processor.js';
import { syncCheckout } from '../webhook-events/sync-checkout.js';
import { applyPayment } from '../webhook-events/sync-payment.js';
import { applySubscription } from '../webhook-events/sync-subscription.js';
import { followUp } from './carry-out-requests.js';
import { findBoughtSubscription } from './find-purchase.js';
import { orderIdOf } from './order-metadata.js';

const BATCH_MAX = 20;
const PAUSE_MS = 600_000;
const SUBSCRIPTION_PAUSE = { checkMs: 6 * 3_600_000, requestMs: 60_000 };
/** What a payer has not finished by then stays unfinished: the processor's pages live for a day. */
const GIVEN_UP_MS = 26 * 3_600_000;
/** The processor lists the latest first; an order's own object is among the last few of its payer. */
const LISTED_MAX = 100;

/**
 * Asks the processor about whatever its notice is overdue for: calls whose answer was lost to a crash or a cut
 * connection, pages that were paid while no notice came through, periods that ended unheard. True: there may be more.
 */
export async function resolveOrders(ctx: Context): Promise<boolean> {
  const orders = await takeOverdueOrders(ctx.pool, ctx.clock.now(), PAUSE_MS, BATCH_MAX);
  for (const order of orders) await attempt(ctx, order.id, () => resolve(ctx, order));
  const due = await takeOverdueSubscriptions(ctx.pool, ctx.clock.now(), SUBSCRIPTION_PAUSE, BATCH_MAX);
  for (const subscription of due) await attempt(ctx, subscription.id, () => followUp(ctx, subscription));
  return orders.length === BATCH_MAX || due.length === BATCH_MAX;
}

/** One that fails is looked at again after its pause, and keeps no other waiting. */
async function attempt(ctx: Context, id: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (err) {
    ctx.logger.warn({ err, id }, 'the payment processor could not be asked about an overdue notice');
  }
}

async function resolve(ctx: Context, order: PaymentOrder): Promise<void> {
  if (order.kind === 'auto_topup') return resolveCharge(ctx, order);
  if (order.kind === 'tier_change') return resolvePurchase(ctx, order);
  if (order.session_id) await syncCheckout(ctx, order.session_id);
  if (order.setup_intent_id) await syncCardSetup(ctx, order.setup_intent_id);
  const isGivenUp = ctx.clock.nowMs() - order.created_at.getTime() > GIVEN_UP_MS;
  if (isGivenUp) await endOrder(ctx.pool, order.id, { status: 'expired', at: ctx.clock.now() });
}

/** Looked for first, because the processor remembers idempotency keys for a day only; then asked for again under its key. */
async function resolveCharge(ctx: Context, order: PaymentOrder): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const payer = await findProcessorCustomer(ctx.pool, 'account', order.account_id);
  if (!payer) return chargeAutoTopUp(ctx, order);
  const since = Math.floor(order.created_at.getTime() / 1_000) - 60;
  const made = await ask(stripe.paymentIntents.list({ customer: payer, created: { gte: since }, limit: LISTED_MAX }));
  const intent = made.data.find((candidate) => orderIdOf(candidate.metadata) === order.id);
  return intent ? applyPayment(ctx, intent) : chargeAutoTopUp(ctx, order);
}

/** Whoever asked for it was told that it did not work: found, it counts; not found, it is not asked for again. */
async function resolvePurchase(ctx: Context, order: PaymentOrder): Promise<void> {
  const ticket = await drawTicket(ctx.pool);
  const bought = await findBoughtSubscription(ctx, order);
  if (bought) await applySubscription(ctx, bought, ticket);
  const status = bought ? 'completed' : 'failed';
  await endOrder(ctx.pool, order.id, { status, at: ctx.clock.now() });
}
