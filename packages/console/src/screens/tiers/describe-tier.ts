import type { Tier } from '../../api/types.js';
import { formatCents } from '../../format/money.js';

/** `$20.00 a month`, `pay as you go`, `free`. */
export function describePrice(
  tier: Pick<Tier, 'billing_mode' | 'price_amount_cents' | 'price_currency' | 'price_interval'>,
): string {
  if (tier.billing_mode === 'paygo') return 'pay as you go';
  if (tier.price_amount_cents === undefined) return 'free';
  return `${formatCents(tier.price_amount_cents, tier.price_currency)} a ${tier.price_interval}`;
}

/** `up to $1.00`, `unlimited`, `by the wallet`. */
export function describeLimit(tier: Pick<Tier, 'billing_mode' | 'spend_limit_cents'>): string {
  if (tier.billing_mode === 'paygo') return 'by the wallet';
  return tier.spend_limit_cents == null ? 'unlimited' : `up to ${formatCents(tier.spend_limit_cents)}`;
}
