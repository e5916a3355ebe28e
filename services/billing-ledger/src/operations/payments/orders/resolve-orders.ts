import { ask } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { endOrder, type PaymentOrder, takeOverdueOrders } from '../../../store/payments/payment-orders.js';
import { findProcessorCustomer } from '../../../store/payments/processor-customers.js';
import { drawTicket, takeOverdueSubscriptions } from '../../../store/payments/processor-subscriptions.js';
import { syncCardSetup } from '../cards/card-setup.js';
import { chargeAutoTopUp } from '../cards/charge-auto-top-up.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { syncCheckout } from '../webhook-events/sync-checkout.js';
import { applyPayment } from '../webhook-events/sync-payment.js';
import { applySubscription } from '../webhook-events/sync-subscription.js';
import { followUp } from './carry-out-requests.js';
import { findBoughtSubscription } from './find-purchase.js';
import { readOrderId } from './order-metadata.js';

const BATCH_MAX = 20;
const PAUSE_MS = 600_000;
const SUBSCRIPTION_PAUSE = { checkMs: 6 * 3_600_000, requestMs: 60_000 };
/** Age at which an unpaid order expires. The processor's pages expire after a day. */
const GIVEN_UP_MS = 26 * 3_600_000;
/** The processor lists the newest first, so the order's object is on the first page. */
const LISTED_MAX = 100;

/**
 * Reads the processor's state for overdue webhook events: calls whose response was lost to a crash or a cut connection,
 * paid pages whose webhook events were lost, subscription periods whose end was not reported. Returns true if there may
 * be more.
 */
export async function resolveOrders(ctx: PaymentContext): Promise<boolean> {
  const orders = await takeOverdueOrders(ctx.pool, ctx.clock.now(), PAUSE_MS, BATCH_MAX);
  for (const order of orders) await attempt(ctx, order.id, () => resolve(ctx, order));
  const due = await takeOverdueSubscriptions(ctx.pool, ctx.clock.now(), SUBSCRIPTION_PAUSE, BATCH_MAX);
  for (const subscription of due) await attempt(ctx, subscription.id, () => followUp(ctx, subscription));
  return orders.length === BATCH_MAX || due.length === BATCH_MAX;
}

/** A failing item is retried after its delay and does not block the others. */
async function attempt(ctx: Pick<Context, 'logger'>, id: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (err) {
    ctx.logger.warn({ err, id }, 'overdue payment check failed; it will be retried');
  }
}

async function resolve(ctx: PaymentContext, order: PaymentOrder): Promise<void> {
  if (order.kind === 'auto_topup') return resolveCharge(ctx, order);
  if (order.kind === 'tier_change') return resolvePurchase(ctx, order);
  if (order.session_id) await syncCheckout(ctx, order.session_id);
  if (order.setup_intent_id) await syncCardSetup(ctx, order.setup_intent_id);
  const isGivenUp = ctx.clock.nowMs() - order.created_at.getTime() > GIVEN_UP_MS;
  if (isGivenUp) await endOrder(ctx.pool, order.id, { status: 'expired', at: ctx.clock.now() });
}

/** Looks for the charge before it repeats the call, because the processor keeps idempotency keys for only a day. */
async function resolveCharge(ctx: PaymentContext, order: PaymentOrder): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const payer = await findProcessorCustomer(ctx.pool, 'account', order.account_id);
  if (!payer) return chargeAutoTopUp(ctx, order);
  const ticket = await drawTicket(ctx.pool);
  const since = Math.floor(order.created_at.getTime() / 1_000) - 60;
  const made = await ask(stripe.paymentIntents.list({ customer: payer, created: { gte: since }, limit: LISTED_MAX }));
  const intent = made.data.find((candidate) => readOrderId(candidate.metadata) === order.id);
  return intent ? applyPayment(ctx, intent, ticket) : chargeAutoTopUp(ctx, order);
}

/** Applies the purchase if the processor has it. Does not repeat the call: its caller received an error. */
async function resolvePurchase(ctx: PaymentContext, order: PaymentOrder): Promise<void> {
  const ticket = await drawTicket(ctx.pool);
  const bought = await findBoughtSubscription(ctx, order);
  if (bought) await applySubscription(ctx, bought, ticket);
  const status = bought ? 'completed' : 'failed';
  await endOrder(ctx.pool, order.id, { status, at: ctx.clock.now() });
}
