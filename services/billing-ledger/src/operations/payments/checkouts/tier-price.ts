import { AppError } from '@tollgate/errors';
import type Stripe from 'stripe';
import { askForMaybe } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { describePrice, isSamePrice, type RecurringPrice } from '../../../domain/payments/tier-price.js';
import { requireProcessor } from '../require-processor.js';

/** A tier's own price and its reference at the processor. Empty strings and null mean none. */
export interface PricedTier {
  billingProvider: string | null;
  billingPriceRef: string | null;
  priceAmountCents?: bigint | null | undefined;
  priceCurrency: string | null;
  priceInterval: string | null;
}

/** Describes how the tier's price and the processor's differ; undefined if they agree or the processor has no such price. */
export async function priceDifference(ctx: Pick<Context, 'processor'>, tier: PricedTier): Promise<string | undefined> {
  const price = ctx.processor && (await processorPrice(ctx, tier));
  return price && describeDifference(tier, price);
}

/** Checks the tier's price before a sale. @throws AppError CONFLICT if it differs from the processor's */
export async function requireSamePrice(ctx: Pick<Context, 'processor'>, tier: PricedTier): Promise<void> {
  requireProcessor(ctx);
  const price = await processorPrice(ctx, tier);
  if (!price) throw new AppError('CONFLICT', "the payment processor does not know the tier's billing_price_ref");
  const difference = describeDifference(tier, price);
  if (difference !== undefined) throw new AppError('CONFLICT', `the tier's price ${difference}`);
}

/** Returns undefined if the processor has no such price or does not bill the tier. */
async function processorPrice(ctx: Pick<Context, 'processor'>, tier: PricedTier): Promise<Stripe.Price | undefined> {
  const isCharged = tier.billingPriceRef && (!tier.billingProvider || tier.billingProvider === 'stripe');
  return isCharged ? askForMaybe(requireProcessor(ctx).stripe.prices.retrieve(tier.billingPriceRef ?? '')) : undefined;
}

function describeDifference(tier: PricedTier, price: Stripe.Price): string | undefined {
  const ours: RecurringPrice = {
    amountCents: tier.priceAmountCents ?? 0n,
    currency: tier.priceCurrency ?? '',
    interval: tier.priceInterval ?? '',
    intervalCount: 1,
  };
  const theirs: RecurringPrice = {
    amountCents: price.unit_amount === null ? null : BigInt(price.unit_amount),
    currency: price.currency,
    interval: price.recurring?.interval ?? 'payment',
    intervalCount: price.recurring?.interval_count ?? 1,
  };
  if (isSamePrice(ours, theirs)) return undefined;
  return `is ${describePrice(ours)}, the processor's price ${price.id} is ${describePrice(theirs)}`;
}
