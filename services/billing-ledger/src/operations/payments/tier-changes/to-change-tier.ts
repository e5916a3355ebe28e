import type { ChangeTier } from '../../../domain/payments/change-tier.js';
import type { Tier } from '../../../store/tiers/tiers.js';

/** Selects the fields that checkouts and tier changes decide on. The processor cannot charge another provider's price. */
export function toChangeTier(tier: Tier): ChangeTier {
  return {
    id: tier.id,
    billingMode: tier.billingMode === 'paygo' ? 'paygo' : 'subscription',
    priceCents: tier.priceAmountCents ?? 0n,
    currency: tier.priceCurrency,
    hasProcessorPrice:
      tier.billingPriceRef !== null && (tier.billingProvider === null || tier.billingProvider === 'stripe'),
    priceSync: tier.priceSync,
    priceSyncFailure: tier.priceSyncFailure,
    isDefault: tier.isDefault,
  };
}
