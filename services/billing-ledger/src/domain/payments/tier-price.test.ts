import { describe, expect, it } from '@jest/globals';
import { describePrice, isSamePrice, type RecurringPrice } from './tier-price.js';

const PRICE: RecurringPrice = { amountCents: 2_000n, currency: 'usd', interval: 'month', intervalCount: 1 };

describe('two prices', () => {
  it('treats prices with the same amount, currency and interval as the same', () => {
    expect(isSamePrice(PRICE, { ...PRICE })).toBe(true);
  });

  it.each<Partial<RecurringPrice>>([
    { amountCents: 2_001n },
    { amountCents: null },
    { currency: 'eur' },
    { interval: 'year' },
    { intervalCount: 12 },
  ])('distinguishes prices that differ in %o', (values) => {
    expect(isSamePrice(PRICE, { ...PRICE, ...values })).toBe(false);
  });
});

it.each<[Partial<RecurringPrice>, string]>([
  [{}, '2000 usd per month'],
  [{ currency: 'eur', interval: 'year' }, '2000 eur per year'],
  [{ intervalCount: 3 }, '2000 usd per 3 months'],
  [{ amountCents: null }, 'a varying amount of usd per month'],
])('describes %o as %s', (values, text) => {
  expect(describePrice({ ...PRICE, ...values })).toBe(text);
});
