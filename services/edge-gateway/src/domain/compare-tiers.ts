/** The parts of a tier that a customer gains or loses with it. */
export interface ComparedTier {
  billingMode: string;
  spendLimitCents?: bigint | undefined;
  overageEnabled: boolean;
  models: readonly { modelId: string }[];
}

export interface TierDifference {
  lost_models: string[];
  added_models: string[];
  /** Only where both tiers have a limit or none; null: no limit. */
  spend_limit_cents?: { from: number | null; to: number | null };
  loses_wallet: boolean;
}

/** Returns what changes for a customer who leaves one tier for another. Without a tier before, everything is added. */
export function compareTiers(from: ComparedTier | undefined, to: ComparedTier): TierDifference {
  const [before, after] = [toModelIds(from), toModelIds(to)];
  const limits = { from: toLimit(from), to: toLimit(to) };
  const hasLimits = limits.from !== undefined && limits.to !== undefined && limits.from !== limits.to;
  return {
    lost_models: before.filter((id) => !after.includes(id)),
    added_models: after.filter((id) => !before.includes(id)),
    ...(hasLimits && { spend_limit_cents: limits as { from: number | null; to: number | null } }),
    loses_wallet: usesWallet(from) && !usesWallet(to),
  };
}

function toModelIds(tier: ComparedTier | undefined): string[] {
  return (tier?.models ?? []).map(({ modelId }) => modelId).sort();
}

/** Pay-as-you-go tiers have a wallet in place of a limit. */
function toLimit(tier: ComparedTier | undefined): number | null | undefined {
  if (tier?.billingMode !== 'subscription') return undefined;
  return tier.spendLimitCents === undefined ? null : Number(tier.spendLimitCents);
}

function usesWallet(tier: ComparedTier | undefined): boolean {
  return tier !== undefined && (tier.billingMode === 'paygo' || tier.overageEnabled);
}
