import type Stripe from 'stripe';
import { ask, askForMaybe } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import type { PaymentOrder } from '../../../store/payments/payment-orders.js';
import { findProcessorCustomer } from '../../../store/payments/processor-customers.js';
import { requireProcessor } from '../payment-context.js';
import { readOrderId } from './order-metadata.js';

/** The processor lists the newest first, so the order's object is on the first page. */
const LISTED_MAX = 100;
/** Allows for clock differences. */
const CLOCK_MARGIN_SECONDS = 60;

/** Finds the checkout session of an order, even if the response that named it was lost. */
export async function findSession(
  ctx: Pick<Context, 'pool' | 'processor'>,
  order: PaymentOrder,
): Promise<Stripe.Checkout.Session | undefined> {
  const { stripe } = requireProcessor(ctx);
  if (order.session_id) return askForMaybe(stripe.checkout.sessions.retrieve(order.session_id));
  const customer = await findPayer(ctx, order);
  if (customer === undefined) return undefined;
  const created = { gte: Math.floor(order.created_at.getTime() / 1_000) - CLOCK_MARGIN_SECONDS };
  const made = await ask(stripe.checkout.sessions.list({ customer, created, limit: LISTED_MAX }));
  return made.data.find(({ metadata }) => readOrderId(metadata) === order.id);
}

/** Finds the subscription that an order bought with the card on file. */
export async function findBoughtSubscription(
  ctx: Pick<Context, 'pool' | 'processor'>,
  order: PaymentOrder,
): Promise<Stripe.Subscription | undefined> {
  const { stripe } = requireProcessor(ctx);
  const customer = await findPayer(ctx, order);
  if (customer === undefined) return undefined;
  const made = await ask(stripe.subscriptions.list({ customer, status: 'all', limit: LISTED_MAX }));
  return made.data.find(({ metadata }) => readOrderId(metadata) === order.id);
}

async function findPayer(ctx: Pick<Context, 'pool'>, { customer_id }: PaymentOrder): Promise<string | undefined> {
  return customer_id === null ? undefined : findProcessorCustomer(ctx.pool, 'customer', customer_id);
}
