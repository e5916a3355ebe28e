import { type Tx, withTransaction } from '@tollgate/postgres';
import type Stripe from 'stripe';
import { askForMaybe, toId } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import {
  effectiveSubscription,
  type SurplusSubscription,
  surplusSubscriptions,
} from '../../../domain/payments/effective-subscription.js';
import {
  lockCustomerById,
  projectOfTier,
  readSubscriptionState,
  type SubscriptionState,
} from '../../../store/payments/customer-subscriptions.js';
import {
  drawTicket,
  findProcessorSubscription,
  putProcessorSubscription,
  requestOfProcessor,
  type SeenSubscription,
  subscriptionsOfCustomer,
} from '../../../store/payments/processor-subscriptions.js';
import { claimTrial } from '../../../store/payments/trial-grants.js';
import { undoOrder } from '../../../store/payments/undone-orders.js';
import { fallBack, moveSubscription } from '../../tiers/move-subscription.js';
import { readOrderId, readTierId } from '../orders/order-metadata.js';
import { payerOfOrder } from '../orders/payer-of-order.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { toSeenSubscription } from './seen-subscription.js';

/** How long after a period's end to wait for its webhook event before reading the processor. */
const CHECK_AFTER_PERIOD_MS = 3_600_000;

/** Reads a subscription from the processor and applies its state. Returns undefined if the processor has none. */
export async function syncSubscription(ctx: PaymentContext, id: string): Promise<Stripe.Subscription | undefined> {
  const { stripe } = requireProcessor(ctx);
  const ticket = await drawTicket(ctx.pool);
  const subscription = await askForMaybe(stripe.subscriptions.retrieve(id));
  if (subscription) await applySubscription(ctx, subscription, ticket);
  return subscription;
}

/** Applies the processor's state of a subscription; `ticket` must be drawn before the state is read. */
export async function applySubscription(
  ctx: PaymentContext,
  subscription: Stripe.Subscription,
  ticket: bigint,
): Promise<void> {
  const holder = await findHolder(ctx, subscription);
  if (!holder) return;
  const { surplus, isWorkDue } = await withTransaction(ctx.pool, async (tx) => {
    const customer = await lockCustomerById(tx, holder.customerId);
    if (!customer) {
      const isUndone = await applyToDeleted(ctx, tx, { subscription, ticket, ...holder });
      return { surplus: [], isWorkDue: isUndone };
    }
    const seen = await toSeenSubscription(tx, customer.projectId, subscription);
    if (!seen) {
      ctx.logger.error({ subscription: subscription.id }, 'subscription ignored: no tier has its price');
      return { surplus: [], isWorkDue: false };
    }
    await putProcessorSubscription(tx, holder.customerId, seen, { ticket, checkAt: nextCheckAt(seen) });
    const isTrialEnded = await endSecondTrial(ctx, tx, holder.customerId, seen);
    const all = await subscriptionsOfCustomer(tx, holder.customerId);
    await takeEffect(ctx, tx, { ...customer, id: holder.customerId }, all);
    return { surplus: surplusSubscriptions(all), isWorkDue: isTrialEnded };
  });
  ctx.subjects.dropCustomer(holder.customerId);
  ctx.relay.wake();
  if (isWorkDue) ctx.orders.wake();
  for (const subscription of surplus) await endSurplus(ctx, subscription);
}

/**
 * Requests the end of a second trial of the same external id: a page opened before the first trial started may include
 * one. Returns false if this is the first trial, or none.
 */
async function endSecondTrial(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  customerId: string,
  seen: SeenSubscription,
): Promise<boolean> {
  if (seen.status !== 'trialing' || (await claimTrial(tx, customerId, seen.id))) return false;
  await requestOfProcessor(tx, seen.id, 'end_trial', ctx.clock.now());
  return true;
}

interface OrphanInput {
  subscription: Stripe.Subscription;
  ticket: bigint;
  customerId: string;
  tierId: string | undefined;
}

/**
 * Records a subscription of a deleted customer: its tier and project cannot be deleted while it runs. Undoes the purchase
 * if the subscription was not known before the deletion; returns true then.
 */
async function applyToDeleted(ctx: Pick<Context, 'clock'>, tx: Tx, orphan: OrphanInput): Promise<boolean> {
  const { subscription, ticket, customerId, tierId } = orphan;
  const isKnown = (await findProcessorSubscription(tx, subscription.id)) !== undefined;
  const projectId = tierId && (await projectOfTier(tx, tierId));
  const seen = projectId ? await toSeenSubscription(tx, projectId, subscription) : undefined;
  if (seen) await putProcessorSubscription(tx, customerId, seen, { ticket, checkAt: nextCheckAt(seen) });
  const orderId = readOrderId(subscription.metadata);
  if (isKnown || !orderId) return false;
  await undoOrder(tx, orderId, ctx.clock.now());
  return true;
}

function nextCheckAt(seen: SeenSubscription): Date {
  return new Date(seen.period.endMs + CHECK_AFTER_PERIOD_MS);
}

/** Finds the customer of a subscription: it was seen before, or its order names the customer. */
async function findHolder(
  ctx: Pick<Context, 'pool' | 'processor' | 'relay'>,
  subscription: Stripe.Subscription,
): Promise<{ customerId: string; tierId: string | undefined } | undefined> {
  const tierId = readTierId(subscription.metadata);
  const known = await findProcessorSubscription(ctx.pool, subscription.id);
  if (known) return { customerId: known.customerId, tierId: tierId ?? known.tierId };
  const orderId = readOrderId(subscription.metadata);
  const processorCustomerId = toId(subscription.customer);
  if (!orderId || !processorCustomerId) return undefined;
  const customerId = await payerOfOrder(ctx, orderId, { processorCustomerId });
  return customerId === undefined ? undefined : { customerId, tierId };
}

/** Moves the customer's record to the effective subscription. Emits no event if nothing changes. */
async function takeEffect(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  customer: { id: string; projectId: string },
  all: readonly SeenSubscription[],
): Promise<void> {
  const before = await readSubscriptionState(tx, customer.id);
  const current = before && { processorSubscriptionId: before.billingSubscriptionId };
  const effect = effectiveSubscription(current, all);
  if (effect.kind === 'keep') return;
  const followed = effect.kind === 'follow' ? effect.subscription : effect.ended;
  const after: SubscriptionState = {
    projectId: customer.projectId,
    customerId: customer.id,
    tierId: followed.tierId,
    billingProvider: 'stripe',
    billingCustomerId: followed.processorCustomerId,
    billingSubscriptionId: followed.id,
    status: followed.status,
    periodStart: new Date(followed.period.startMs),
    periodEnd: new Date(followed.period.endMs),
    cancelAt: followed.cancelAtMs === undefined ? undefined : new Date(followed.cancelAtMs),
    price: followed.plan.price,
  };
  const state = effect.kind === 'follow' ? after : await fallBack(ctx, tx, after, followed.endedMs);
  await moveSubscription(tx, before, state);
}

/**
 * Ends a surplus subscription. One of two purchases that were paid at almost the same time is undone, which returns its
 * payment to the card; an older subscription is canceled with proration.
 */
async function endSurplus(ctx: PaymentContext, { id, isBoughtTwice }: SurplusSubscription): Promise<void> {
  const { stripe } = requireProcessor(ctx);
  const order = isBoughtTwice && readOrderId((await askForMaybe(stripe.subscriptions.retrieve(id)))?.metadata);
  ctx.logger.warn(
    { subscription: id, order: order || undefined },
    'customer has two subscriptions; ending the older one',
  );
  if (order) {
    await undoOrder(ctx.pool, order, ctx.clock.now());
    ctx.orders.wake();
    return;
  }
  const ticket = await drawTicket(ctx.pool);
  const ended = await askForMaybe(stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true }));
  if (ended) await applySubscription(ctx, ended, ticket);
}
