/** State of a price that Tollgate makes at the processor. */
export type PriceSync = 'pending' | 'ready' | 'failed';

/** What decides about a tier's price at the processor. Empty strings and null mean none. */
export interface TierPricing {
  displayName: string;
  billingProvider: string | null;
  billingPriceRef: string | null;
  priceAmountCents?: bigint | null | undefined;
  priceCurrency: string | null;
  priceInterval: string | null;
}

export interface StoredPrice extends TierPricing {
  /** Null: Tollgate makes no price. */
  priceSync: PriceSync | null;
}

export interface PricePlan {
  billingPriceRef: string;
  priceSync: PriceSync | null;
  /** A price with new terms, or a refused one once more. */
  isNewVersion: boolean;
  /** The tier has to be sent to the processor. */
  isDue: boolean;
  /** The owner named a price of the processor, which has to be checked. */
  isNamed: boolean;
}

/**
 * Decides what saving a tier does to its price at the processor. Tollgate makes the price of a tier that names none; such a
 * price is never changed, because subscriptions have it: other terms are another price.
 */
export function planPrice(before: StoredPrice | undefined, after: TierPricing): PricePlan {
  const isMade = before !== undefined && before.priceSync !== null;
  const isOurs = isMade && (!after.billingPriceRef || after.billingPriceRef === before.billingPriceRef);
  const ref = isOurs ? '' : (after.billingPriceRef ?? '');
  if (!isChargedByProcessor(after) || ref !== '')
    return {
      billingPriceRef: ref,
      priceSync: null,
      isNewVersion: false,
      isDue: false,
      isNamed: isChargedByProcessor(after),
    };
  const isSame = isOurs && isSamePricing(before, after);
  if (isSame && before.priceSync === 'ready')
    return {
      billingPriceRef: before.billingPriceRef ?? '',
      priceSync: 'ready',
      isNewVersion: false,
      isDue: before.displayName !== after.displayName,
      isNamed: false,
    };
  const isRepeat = isSame && before.priceSync === 'pending';
  return { billingPriceRef: '', priceSync: 'pending', isNewVersion: !isRepeat, isDue: true, isNamed: false };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Returns how long to wait after a number of attempts that got no answer: 1, 2, 4 … minutes, at most an hour. */
export function priceRetryMs(attempts: number): number {
  return Math.min(MINUTE_MS * 2 ** Math.max(0, Math.min(attempts, 10) - 1), HOUR_MS);
}

function isChargedByProcessor(tier: TierPricing): boolean {
  const isPriced = tier.priceAmountCents !== undefined && tier.priceAmountCents !== null;
  return isPriced && (!tier.billingProvider || tier.billingProvider === 'stripe');
}

function isSamePricing(a: TierPricing, b: TierPricing): boolean {
  return (
    a.priceAmountCents === b.priceAmountCents &&
    a.priceCurrency === b.priceCurrency &&
    a.priceInterval === b.priceInterval
  );
}
