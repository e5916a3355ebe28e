import { expect, it } from '@jest/globals';
import type { Tier } from '../../api/types.js';
import { describeUnsold } from './describe-tier.js';

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
