import { describe, expect, it } from '@jest/globals';
import { type ComparedTier, compareTiers } from './compare-tiers.js';

const tier = (models: string[], values: Partial<ComparedTier> = {}): ComparedTier => ({
  billingMode: 'subscription',
  overageEnabled: false,
  models: models.map((modelId) => ({ modelId })),
  ...values,
});

describe('compareTiers', () => {
  it('lists lost and added models', () => {
    expect(compareTiers(tier(['b', 'a']), tier(['c', 'b']))).toEqual({
      lost_models: ['a'],
      added_models: ['c'],
      loses_wallet: false,
    });
  });

  it('names the limits where they differ, with null for none', () => {
    const limit = (cents: bigint) => tier([], { spendLimitCents: cents });
    expect(compareTiers(limit(500n), limit(100n)).spend_limit_cents).toEqual({ from: 500, to: 100 });
    expect(compareTiers(limit(500n), tier([])).spend_limit_cents).toEqual({ from: 500, to: null });
    expect(compareTiers(limit(500n), limit(500n))).not.toHaveProperty('spend_limit_cents');
    expect(compareTiers(tier([], { billingMode: 'paygo' }), limit(1n))).not.toHaveProperty('spend_limit_cents');
  });

  it('names the loss of the wallet', () => {
    const withOverage = tier([], { overageEnabled: true });
    expect(compareTiers(withOverage, tier([])).loses_wallet).toBe(true);
    expect(compareTiers(withOverage, withOverage).loses_wallet).toBe(false);
    expect(compareTiers(tier([], { billingMode: 'paygo' }), tier([])).loses_wallet).toBe(true);
  });

  it('adds everything for a customer without a tier', () => {
    expect(compareTiers(undefined, tier(['a']))).toEqual({ lost_models: [], added_models: ['a'], loses_wallet: false });
  });
});
