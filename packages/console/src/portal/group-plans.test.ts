import { describe, expect, it } from '@jest/globals';
import type { Tier } from '../api/types.js';
import { canChoose, groupPlans } from './group-plans.js';

const tier = (id: string, values: Partial<Tier> = {}): Tier =>
  ({ id, display_name: id, billing_mode: 'subscription', models: [], ...values }) as unknown as Tier;
const priced = (id: string, values: Partial<Tier> = {}): Tier =>
  tier(id, { price_amount_cents: 2_000, price_interval: 'month', price_sync: 'ready', ...values });

describe('groupPlans', () => {
  it('shows the customer’s plan first and keeps the order of the others', () => {
    const plans = groupPlans([tier('a'), tier('b'), tier('c')], 'b');
    expect(plans.map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
      ['b', true],
      ['a', false],
      ['c', false],
    ]);
  });

  it('puts monthly and annual tiers of a group together', () => {
    const year = priced('pro-year', { group: 'pro', price_interval: 'year' });
    const plans = groupPlans([year, tier('other'), priced('pro', { group: 'pro' })], undefined);
    expect(plans.map(({ name, tiers }) => [name, tiers.map(({ id }) => id)])).toEqual([
      ['pro', ['pro', 'pro-year']],
      ['other', ['other']],
    ]);
  });
});

describe('canChoose', () => {
  it('offers only tiers that a change or a checkout can reach', () => {
    const bought = { tierId: 'own' };
    expect(canChoose(priced('pro'), { tierId: undefined })).toBe(true);
    expect(canChoose(tier('free'), bought)).toBe(true);
    expect(canChoose(tier('free'), { tierId: undefined })).toBe(false);
    expect(canChoose(priced('own'), bought)).toBe(false);
    expect(canChoose(tier('wallet', { billing_mode: 'paygo' }), bought)).toBe(false);
    expect(canChoose(priced('new', { price_sync: 'pending' }), bought)).toBe(false);
    expect(canChoose(priced('partner', { billing_provider: 'external' }), bought)).toBe(false);
  });
});
