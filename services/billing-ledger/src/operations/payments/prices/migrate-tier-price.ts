import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { ask } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { describeMissingPrice } from '../../../domain/payments/change-tier.js';
import { isEnded } from '../../../domain/payments/effective-subscription.js';
import {
  countOtherPrices,
  findNextPrice,
  moveNextPrice,
  NEXT_PRICE_LEAD_MS,
  type NextPrice,
  type PricedSubscriptions,
  scheduleNextPrices,
  takeDueNextPrices,
} from '../../../store/payments/next-prices.js';
import { drawTicket } from '../../../store/payments/processor-subscriptions.js';
import { findTier } from '../../tiers/write-tier.js';
import { requireSamePrice } from '../checkouts/tier-price.js';
import { type PaymentContext, requireProcessor } from '../payment-context.js';
import { toChangeTier } from '../tier-changes/plan-tier-change.js';
import { applySubscription, syncSubscription } from '../webhook-events/sync-subscription.js';

const BATCH_MAX = 20;
const RETRY_MS = 300_000;

export interface PriceMigration extends PricedSubscriptions {
  afterCents: bigint;
  currency: string;
  interval: string;
}

/**
 * Schedules the tier's present price for the subscribers that pay another one, each with the next renewal; or only counts
 * them. Subscriptions that are about to end keep their price.
 */
export async function migrateTierPrice(
  ctx: Pick<Context, 'orders' | 'pool' | 'processor'>,
  principal: Principal,
  req: { tierId: string; preview: boolean },
): Promise<PriceMigration> {
  const tier = await findTier(ctx, principal.projectId, { case: 'id', value: req.tierId });
  const asked = toChangeTier(tier);
  if (!asked.hasProcessorPrice) throw new AppError('CONFLICT', describeMissingPrice(asked));
  const [currency, interval] = [tier.priceCurrency ?? '', tier.priceInterval ?? ''];
  const price = { tierId: tier.id, priceRef: tier.billingPriceRef ?? '', currency, interval };
  if (!req.preview) await requireSamePrice(ctx, tier);
  const found = await (req.preview ? countOtherPrices : scheduleNextPrices)(ctx.pool, price);
  if (!req.preview) ctx.orders.wake();
  return { ...found, afterCents: found.subscriptions * asked.priceCents, currency, interval };
}

/** Gives due subscriptions their next price. Returns true if there may be more. */
export async function sendNextPrices(ctx: PaymentContext): Promise<boolean> {
  const retryAt = new Date(ctx.clock.nowMs() + RETRY_MS);
  const due = await takeDueNextPrices(ctx.pool, ctx.clock.now(), retryAt, BATCH_MAX);
  for (const id of due) {
    try {
      await sendNextPrice(ctx, id);
    } catch (err) {
      ctx.logger.warn({ err, subscription: id }, 'next price of a subscription not sent; it will be retried');
    }
  }
  return due.length === BATCH_MAX;
}

/** Reads the subscription first: it may have renewed, ended, or moved to another tier in the meantime. */
async function sendNextPrice(ctx: PaymentContext, id: string): Promise<void> {
  const processor = await syncSubscription(ctx, id);
  const next = await findNextPrice(ctx.pool, id);
  if (!next) return;
  const scheduled = { id, priceRef: next.nextPriceRef };
  if (!processor || isEnded(processor.status) || !isWanted(next)) return moveNextPrice(ctx.pool, scheduled, undefined);
  const sendAt = new Date(next.periodEnd.getTime() - NEXT_PRICE_LEAD_MS);
  if (sendAt > ctx.clock.now()) return moveNextPrice(ctx.pool, scheduled, sendAt);
  const { stripe } = requireProcessor(ctx);
  const ticket = await drawTicket(ctx.pool);
  const updated = await ask(
    stripe.subscriptions.update(id, {
      items: [{ id: next.itemId ?? '', price: next.nextPriceRef }],
      proration_behavior: 'none',
    }),
  );
  await applySubscription(ctx, updated, ticket);
  await moveNextPrice(ctx.pool, scheduled, undefined);
}

/** Another tier, another price of the tier, or a cancellation replaces the plan to move. */
function isWanted({ nextPriceRef, priceRef, itemId, tierPriceRef, cancelsAtPeriodEnd }: NextPrice): boolean {
  return itemId !== null && priceRef !== nextPriceRef && tierPriceRef === nextPriceRef && !cancelsAtPeriodEnd;
}
