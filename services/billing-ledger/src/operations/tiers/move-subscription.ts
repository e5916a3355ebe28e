import { appendEvents } from '@tollgate/events';
import type { Tx } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { nextWindowStart, periodFrom, toAnchor, toInterval } from '../../domain/billing-window.js';
import {
  findDefaultTier,
  findTierBrief,
  putSubscriptionState,
  type StoredSubscription,
  type SubscriptionPrice,
  type SubscriptionState,
} from '../../store/payments/customer-subscriptions.js';
import { subscriptionEvent } from '../customers/customer-events.js';

/** Stores a changed subscription of a locked customer. Emits no event if nothing changes that the event contains. */
export async function moveSubscription(
  tx: Tx,
  before: StoredSubscription | undefined,
  after: SubscriptionState,
): Promise<void> {
  const isScheduled = before?.cancelAt?.getTime() === after.cancelAt?.getTime();
  if (before && isScheduled && isSame(before, after) && isSamePrice(before.price, after.price)) return;
  await writeSubscription(tx, before, after, { isDeclared: false, isAnnounced: !before || !isSame(before, after) });
}

/**
 * Stores a subscription of a locked customer, with the start of its window: what was used in a window that the change cuts
 * short counts against the new allowance.
 */
export async function writeSubscription(
  tx: Tx,
  before: StoredSubscription | undefined,
  after: SubscriptionState,
  { isDeclared, isAnnounced }: { isDeclared: boolean; isAnnounced: boolean },
): Promise<void> {
  const tier = await findTierBrief(tx, after.projectId, after.tierId);
  const next = { startMs: after.periodStart.getTime(), endMs: after.periodEnd.getTime() };
  const interval = toInterval(after.price ? after.price.interval : tier?.price_interval);
  const isSameTier =
    before?.tierId === after.tierId && (isDeclared || before.billingSubscriptionId === after.billingSubscriptionId);
  await putSubscriptionState(tx, after, {
    anchorMs: toAnchor({ period: next, interval, anchorMs: before && toAnchor(before.schedule) }),
    windowStartMs: before ? nextWindowStart(before.schedule, { next, isSameTier, isDeclared }) : next.startMs,
  });
  if (isAnnounced) await appendEvents(tx, [subscriptionEvent({ ...after, tierCode: tier?.tier_code ?? '' })]);
}

/**
 * Returns the state on the project's default tier, or the ended subscription if there is no default tier. The new period
 * never starts before the old subscription's end, even if this clock is behind the processor's.
 */
export async function fallBack(
  ctx: Pick<Context, 'clock'>,
  tx: Tx,
  ended: SubscriptionState,
  endedMs = 0,
): Promise<SubscriptionState> {
  const tier = await findDefaultTier(tx, ended.projectId);
  if (!tier) return ended;
  const period = periodFrom(Math.max(ctx.clock.nowMs(), endedMs), toInterval(tier.price_interval));
  return {
    ...ended,
    tierId: tier.id,
    billingProvider: null,
    billingCustomerId: null,
    billingSubscriptionId: null,
    status: 'active',
    periodStart: new Date(period.startMs),
    periodEnd: new Date(period.endMs),
    cancelAt: undefined,
    price: { amountCents: tier.price_amount_cents, currency: tier.price_currency, interval: tier.price_interval },
  };
}

/** Returns the price at which a tier is sold now. */
export function toPriceNow(tier: {
  priceAmountCents: bigint | null;
  priceCurrency: string | null;
  priceInterval: string | null;
}): SubscriptionPrice {
  return { amountCents: tier.priceAmountCents, currency: tier.priceCurrency, interval: tier.priceInterval };
}

const PUBLISHED = [
  'tierId',
  'billingProvider',
  'billingCustomerId',
  'billingSubscriptionId',
  'status',
  'periodStart',
  'periodEnd',
] as const;

function isSame(a: SubscriptionState, b: SubscriptionState): boolean {
  return PUBLISHED.every((key) => a[key]?.valueOf() === b[key]?.valueOf());
}

function isSamePrice(a: SubscriptionPrice | undefined, b: SubscriptionPrice | undefined): boolean {
  return a?.amountCents === b?.amountCents && a?.currency === b?.currency && a?.interval === b?.interval;
}
