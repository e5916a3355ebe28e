import { describe, expect, it } from '@jest/globals';
import { planPrice, priceRetryMs, type StoredPrice, type TierPricing } from './price-sync.js';

const terms = (values: Partial<TierPricing> = {}): TierPricing => ({
  displayName: 'Pro',
  billingProvider: 'stripe',
  billingPriceRef: '',
  priceAmountCents: 2_000n,
  priceCurrency: 'usd',
  priceInterval: 'month',
  ...values,
});
const stored = (values: Partial<StoredPrice> = {}): StoredPrice => ({
  ...terms(),
  billingPriceRef: 'price_made',
  priceSync: 'ready',
  ...values,
});
const MAKE = { billingPriceRef: '', priceSync: 'pending', isNewVersion: true, isDue: true, isNamed: false };
const NONE = { billingPriceRef: '', priceSync: null, isNewVersion: false, isDue: false, isNamed: false };
const KEEP = { billingPriceRef: 'price_made', priceSync: 'ready', isNewVersion: false, isDue: false, isNamed: false };

describe('the plan for a price', () => {
  it('makes the price of a tier that names none', () => {
    expect(planPrice(undefined, terms())).toEqual(MAKE);
    expect(planPrice(undefined, terms({ billingProvider: '' }))).toEqual(MAKE);
    expect(planPrice(stored({ priceSync: null, billingPriceRef: null }), terms())).toEqual(MAKE);
  });

  it('makes none for free tiers and for other providers', () => {
    expect(planPrice(undefined, terms({ priceAmountCents: undefined }))).toEqual(NONE);
    expect(planPrice(undefined, terms({ billingProvider: 'external' }))).toEqual(NONE);
    expect(planPrice(stored(), terms({ billingPriceRef: 'price_made', billingProvider: 'external' }))).toEqual(NONE);
  });

  it('checks a price that the owner names, and makes none', () => {
    const named = { ...NONE, billingPriceRef: 'price_mine', isNamed: true };
    expect(planPrice(undefined, terms({ billingPriceRef: 'price_mine' }))).toEqual(named);
    expect(planPrice(stored(), terms({ billingPriceRef: 'price_mine' }))).toEqual(named);
  });

  it('keeps a price whose terms stay, and sends the new name of its tier', () => {
    const after = terms({ billingPriceRef: 'price_made' });
    expect(planPrice(stored(), after)).toEqual(KEEP);
    expect(planPrice(stored(), terms())).toEqual(KEEP);
    expect(planPrice(stored(), { ...after, displayName: 'Plus' })).toEqual({ ...KEEP, isDue: true });
  });

  it.each<[string, Partial<TierPricing>]>([
    ['amount', { priceAmountCents: 2_500n }],
    ['currency', { priceCurrency: 'eur' }],
    ['interval', { priceInterval: 'year' }],
  ])('makes another price for another %s', (_, change) => {
    expect(planPrice(stored(), terms({ billingPriceRef: 'price_made', ...change }))).toEqual(MAKE);
  });

  it('repeats a pending price under its version and a refused one under another', () => {
    const unmade = { billingPriceRef: null, priceSync: 'pending' as const };
    expect(planPrice(stored(unmade), terms())).toEqual({ ...MAKE, isNewVersion: false });
    expect(planPrice(stored({ ...unmade, priceSync: 'failed' }), terms())).toEqual(MAKE);
  });
});

it('waits longer after each attempt, at most an hour', () => {
  expect([1, 2, 3, 20].map(priceRetryMs)).toEqual([60_000, 120_000, 240_000, 3_600_000]);
});
