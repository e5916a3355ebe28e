import type { PriceMigration, Tier } from '../../api/types.js';
import { formatCents } from '../../format/money.js';
import { formatAmount } from '../../format/numbers.js';

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

/** Says why a priced tier cannot be bought; undefined if it can. */
export function describeUnsold(
  tier: Pick<
    Tier,
    'billing_price_ref' | 'billing_provider' | 'price_amount_cents' | 'price_sync' | 'price_sync_failure'
  >,
): { status: string; text: string; isFailed: boolean } | undefined {
  const isCharged = tier.price_amount_cents !== undefined && (tier.billing_provider ?? 'stripe') === 'stripe';
  if (
    !isCharged ||
    tier.price_sync === 'ready' ||
    (tier.price_sync === undefined && tier.billing_price_ref !== undefined)
  )
    return undefined;
  const reason = tier.price_sync_failure;
  if (tier.price_sync === 'pending') {
    const text = `Stripe has no price of this tier yet${reason === undefined ? '' : `: ${reason}`}. Tollgate repeats it.`;
    return { status: 'price pending', text, isFailed: false };
  }
  const text = reason === undefined ? 'Stripe has no price of this tier.' : `Stripe made no price: ${reason}.`;
  return { status: 'no price', text: `${text} Save the tier to try again.`, isFailed: true };
}

/** Says what a move of subscribers to the tier's price changes, and when. */
export function describeMigration(
  { subscriptions, before_cents: before, after_cents: after, currency, interval }: PriceMigration,
  tier: Parameters<typeof describePrice>[0],
): string[] {
  const isOne = subscriptions === 1;
  const [now, then] = [formatCents(before, currency), formatCents(after, currency)];
  return [
    `${formatAmount(subscriptions, 'subscriber')} ${isOne ? 'pays' : 'pay'} another price than ${describePrice(tier)}: ${now} a ${interval}${isOne ? '' : ' together'}, then ${then}.`,
    `${isOne ? 'The subscriber pays' : 'Each pays'} the new price with the next renewal; nothing is charged before. Until then, another change of the price or the plan replaces this one.`,
  ];
}
