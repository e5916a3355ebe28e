import { AppError } from '@tollgate/errors';
import type { Tx } from '@tollgate/postgres';
import type Stripe from 'stripe';
import { toId } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { choosePlanItem } from '../../../domain/payments/plan-item.js';
import {
  findTierBrief,
  type SubscriptionPrice,
  tiersOfPrices,
} from '../../../store/payments/customer-subscriptions.js';
import { findProcessorSubscription, type SeenSubscription } from '../../../store/payments/processor-subscriptions.js';
import { readTierId } from '../orders/order-metadata.js';

/** Converts the processor's subscription. Returns undefined if no tier of the project is its plan. */
export async function toSeenSubscription(
  tx: Tx,
  projectId: string,
  subscription: Stripe.Subscription,
): Promise<SeenSubscription | undefined> {
  const items = subscription.items.data;
  const plan = choosePlanItem(
    items.map(({ id, price, created }) => ({ id, priceId: price.id, createdMs: created * 1_000 })),
    await tiersOfPrices(
      tx,
      projectId,
      items.map(({ price }) => price.id),
    ),
    {
      namedTierId: readTierId(subscription.metadata),
      known: await findProcessorSubscription(tx, subscription.id),
    },
  );
  const item = plan && items.find(({ id }) => id === plan.item.id);
  const tier = plan?.tierId && (await findTierBrief(tx, projectId, plan.tierId));
  if (!item || !tier) return undefined;
  const isTrial = subscription.status === 'trialing' && subscription.trial_end !== null;
  const endMs = (isTrial ? (subscription.trial_end ?? 0) : item.current_period_end) * 1_000;
  const cancelsAtPeriodEnd = subscription.cancel_at_period_end || subscription.cancel_at !== null;
  return {
    id: subscription.id,
    tierId: tier.id,
    processorCustomerId: toId(subscription.customer) ?? '',
    status: subscription.status,
    period: { startMs: item.current_period_start * 1_000, endMs },
    cancelsAtPeriodEnd,
    cancelAtMs: cancelsAtPeriodEnd ? (subscription.cancel_at ? subscription.cancel_at * 1_000 : endMs) : undefined,
    endedMs: subscription.ended_at ? subscription.ended_at * 1_000 : undefined,
    startedMs: subscription.created * 1_000,
    plan: { itemId: item.id, priceId: item.price.id, price: toSubscriptionPrice(item) },
  };
}

/** Returns the item that is the plan of a subscription which was just read and stored. @throws AppError if it has none */
export async function requirePlanItem(
  ctx: Pick<Context, 'pool'>,
  subscription: Stripe.Subscription,
): Promise<Stripe.SubscriptionItem> {
  const known = await findProcessorSubscription(ctx.pool, subscription.id);
  const item = subscription.items.data.find(({ id }) => id === known?.itemId);
  if (item) return item;
  throw new AppError('CONFLICT', 'the subscription was changed at the payment processor; try again', {
    retryable: true,
  });
}

/** Returns undefined for prices that a tier cannot have: the amount varies, or a period is neither a month nor a year. */
function toSubscriptionPrice({ price, quantity }: Stripe.SubscriptionItem): SubscriptionPrice | undefined {
  const { unit_amount: amount, currency, recurring } = price;
  const interval = recurring?.interval_count === 1 ? recurring.interval : undefined;
  if (amount === null || (interval !== 'month' && interval !== 'year')) return undefined;
  return { amountCents: BigInt(amount) * BigInt(quantity ?? 1), currency, interval };
}
