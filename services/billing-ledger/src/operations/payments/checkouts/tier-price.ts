import { AppError } from '@tollgate/errors';
import type Stripe from 'stripe';
import { askForMaybe } from '../../../clients/processor.js';
import type { Context } from '../../../context.js';
import { describePrice, isSamePrice, type RecurringPrice } from '../../../domain/payments/tier-price.js';
import { requireProcessor } from '../payment-context.js';

/** A tier's own price and its reference at the processor. Empty strings and null mean none. */
export interface PricedTier {
  billingProvider: string | null;
  billingPriceRef: string | null;
  priceAmountCents?: bigint | null | undefined;
  priceCurrency: string | null;
  priceInterval: string | null;
}

const AGAIN = "the project's owner has to save the tier's price again, or to name another one";

/** Describes why the price that a tier names cannot be its price; undefined if it can, or without a processor. */
export async function namedPriceFault(ctx: Pick<Context, 'processor'>, tier: PricedTier): Promise<string | undefined> {
  if (!ctx.processor) return undefined;
  const price = await processorPrice(ctx, tier);
  if (!price) return 'is unknown to the payment processor';
  if (!price.active) return `names ${price.id}, which is archived at the payment processor`;
  const difference = describeDifference(tier, price);
  return difference && `does not match: the tier's price ${difference}`;
}

/** Checks the tier's price before a sale. @throws AppError CONFLICT if it differs from the processor's */
export async function requireSamePrice(ctx: Pick<Context, 'processor'>, tier: PricedTier): Promise<void> {
  requireProcessor(ctx);
  const price = await processorPrice(ctx, tier);
  if (!price)
    throw new AppError('CONFLICT', `the payment processor does not know the price ${tier.billingPriceRef}; ${AGAIN}`);
  if (!price.active)
    throw new AppError('CONFLICT', `the price ${price.id} is archived at the payment processor; ${AGAIN}`);
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
