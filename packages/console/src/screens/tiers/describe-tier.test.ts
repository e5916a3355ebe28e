import { expect, it } from '@jest/globals';
import type { Tier } from '../../api/types.js';
import { describeMigration, describeUnsold } from './describe-tier.js';

const priced = (values: Partial<Tier>) => describeUnsold({ price_amount_cents: 2_000, ...values });

it('returns nothing for tiers that can be bought or are not charged to a card', () => {
  expect(describeUnsold({})).toBeUndefined();
  expect(priced({ price_sync: 'ready', billing_price_ref: 'price_1' })).toBeUndefined();
  expect(priced({ billing_price_ref: 'price_mine' })).toBeUndefined();
  expect(priced({ billing_provider: 'external' })).toBeUndefined();
});

it('describes why a tier has no price at Stripe', () => {
  expect(priced({ price_sync: 'pending' })).toMatchObject({ status: 'price pending', isFailed: false });
  expect(priced({ price_sync: 'failed', price_sync_failure: 'Amount too large' })).toEqual({
    status: 'no price',
    text: 'Stripe made no price: Amount too large. Save the tier to try again.',
    isFailed: true,
  });
  expect(priced({})?.text).toBe('Stripe has no price of this tier. Save the tier to try again.');
});

it('describes what subscribers pay now and after a move to another price, and when', () => {
  const tier = {
    billing_mode: 'subscription',
    price_amount_cents: 2_500,
    price_currency: 'usd',
    price_interval: 'month',
  } as const;
  const found = {
    preview: true,
    subscriptions: 2,
    before_cents: 4_000,
    after_cents: 5_000,
    currency: 'usd',
    interval: 'month',
  };
  expect(describeMigration(found, tier)[0]).toBe(
    '2 subscribers pay another price than $25.00 a month: $40.00 a month together, then $50.00.',
  );
  expect(describeMigration({ ...found, subscriptions: 1, before_cents: 2_000, after_cents: 2_500 }, tier)).toEqual([
    '1 subscriber pays another price than $25.00 a month: $20.00 a month, then $25.00.',
    'The subscriber pays the new price with the next renewal; nothing is charged before. Until then, another change of the price or the plan replaces this one.',
  ]);
});
