import type { Tier } from '../api/types.js';
import { describeUnsold } from '../screens/tiers/describe-tier.js';

/** A plan with its tiers: one, or several that differ in the interval. */
export interface Plan {
  id: string;
  name: string;
  tiers: readonly Tier[];
  isCurrent: boolean;
}

/** Puts the tiers of a group together, the monthly one first, and the customer's plan before the others. */
export function groupPlans(tiers: readonly Tier[], currentTierId: string | undefined): Plan[] {
  const groups = new Map<string, Tier[]>();
  for (const tier of tiers) {
    const key = tier.group === undefined ? tier.id : `group ${tier.group}`;
    groups.set(key, [...(groups.get(key) ?? []), tier]);
  }
  const plans = [...groups.values()].map((group) => toPlan(group, currentTierId));
  return [...plans.filter(({ isCurrent }) => isCurrent), ...plans.filter(({ isCurrent }) => !isCurrent)];
}

/** Whether choosing the tier can work: customers without a subscription can only buy; wallets are given by the project. */
export function canChoose(tier: Tier, current: { tierId: string | undefined }): boolean {
  if (tier.id === current.tierId || tier.billing_mode === 'paygo') return false;
  if (tier.price_amount_cents === undefined) return current.tierId !== undefined;
  return (tier.billing_provider ?? 'stripe') === 'stripe' && describeUnsold(tier) === undefined;
}

function toPlan(group: readonly Tier[], currentTierId: string | undefined): Plan {
  const tiers = [...group].sort((a, b) => Number(a.price_interval === 'year') - Number(b.price_interval === 'year'));
  const own = tiers.find(({ id }) => id === currentTierId);
  const shown = own ?? tiers[0];
  return { id: shown?.id ?? '', name: shown?.display_name ?? '', tiers, isCurrent: own !== undefined };
}
