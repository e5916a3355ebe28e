import type { ChangeTier } from '../../../domain/payments/change-tier.js';
import type { Tier } from '../../../store/tiers/tiers.js';

/** What the rules of checkouts and tier changes look at. A price of another provider is none that the processor can charge. */
export function changeTierOf(tier: Tier): ChangeTier {
  return {
    id: tier.id,
    billingMode: tier.billingMode === 'paygo' ? 'paygo' : 'subscription',
    priceCents: tier.priceAmountCents ?? 0n,
    hasProcessorPrice:
      tier.billingPriceRef !== null && (tier.billingProvider === null || tier.billingProvider === 'stripe'),
    isDefault: tier.isDefault,
  };
}
