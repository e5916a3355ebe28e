import { describe, expect, it } from '@jest/globals';
import { formatCents, formatExactMoney, formatMoney, readCents } from './money.js';

describe('formatMoney', () => {
  it.each([
    [0, '$0.00'],
    [1_250_000_000, '$12.50'],
    [-1_250_000_000, '-$12.50'],
    [12_345, '$0.000123'],
    [999_999, '$0.01'],
    [1_490_000, '$0.0149'],
    [5_000_000, '$0.05'],
    [9_999_999, '$0.10'],
    [12_500_000, '$0.13'],
    [3_000, '$0.00003'],
    [123_456_789_000_000, '$1,234,567.89'],
  ])('shows %d microcents as %s', (microcents, text) => {
    expect(formatMoney(microcents)).toBe(text);
  });

  it('shows the currency of the account', () => {
    expect(formatMoney(100_000_000, 'eur')).toBe('€1.00');
    expect(formatCents(1_999, 'gbp')).toBe('£19.99');
    expect(formatCents(0.003)).toBe('$0.00003');
  });
});

describe('formatExactMoney', () => {
  it.each([
    [0, '$0.00'],
    [1_250_000_000, '$12.50'],
    [-12_345, '-$0.00012345'],
    [999_999, '$0.00999999'],
    [123_456_789_012_345, '$1,234,567.89012345'],
  ])('shows %d microcents as %s', (microcents, text) => {
    expect(formatExactMoney(microcents)).toBe(text);
  });
});

describe('readCents', () => {
  it.each([
    ['12', 1_200],
    [' 12.5 ', 1_250],
    ['0,07', 7],
    ['1.005', undefined],
    ['-1', undefined],
    ['', undefined],
    ['1e3', undefined],
  ])('reads %j as %p', (text, cents) => {
    expect(readCents(text)).toBe(cents);
  });
});
