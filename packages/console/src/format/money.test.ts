import { describe, expect, it } from '@jest/globals';
import {
  describeAmountFault,
  formatCents,
  formatExactMoney,
  formatMoney,
  moneyColumn,
  readCents,
  toAmount,
} from './money.js';

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

  it.each([
    [2_000, 'jpy', '¥2,000'],
    [5, 'JPY', '¥5'],
    [0, 'jpy', '¥0'],
    [2_000, 'kwd', 'KWD 2.000'],
    [12_345_678, 'bhd', 'BHD 12,345.678'],
    [200_000, 'huf', 'HUF 2,000.00'],
    [19_990, 'clf', 'CLF 1.9990'],
    [200_000, 'isk', 'ISK 2,000.00'],
    [200_000, 'ugx', 'UGX 2,000.00'],
    [2_000, 'mga', 'MGA 2,000'],
  ])('shows %d smallest units of %s as %s', (cents, currency, text) => {
    expect(formatCents(cents, currency).replaceAll('\u00a0', ' ')).toBe(text);
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

describe('formatExactMoney in other currencies', () => {
  it.each([
    [2_000_000_000, 'jpy', '¥2,000'],
    [2_500_000, 'jpy', '¥2.5'],
    [1_234_567_890_000, 'kwd', 'KWD 1,234.56789'],
  ])('shows %d microcents of %s as %s', (microcents, currency, text) => {
    expect(formatExactMoney(microcents, currency).replaceAll('\u00a0', ' ')).toBe(text);
  });
});

describe('readCents', () => {
  it.each([
    ['2000', 'jpy', 2_000],
    ['2000.00', 'jpy', undefined],
    ['2000', 'isk', 200_000],
    ['2000', 'mga', 2_000],
    ['2.5', 'kwd', 2_500],
    ['2.0005', 'kwd', undefined],
    ['19.99', 'eur', 1_999],
  ])('reads %j in %s as %p', (text, currency, cents) => {
    expect(readCents(text, currency)).toBe(cents);
    if (cents !== undefined) expect(readCents(toAmount(cents, currency), currency)).toBe(cents);
  });

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

describe('moneyColumn', () => {
  it.each([
    [[0], ['$0.00']],
    [
      [1_250_000_000, 12_345, 0],
      ['$12.50', '<$0.01', '$0.00'],
    ],
    [
      [50_000_000, 12_345, -1_000_000],
      ['$0.5000', '$0.0001', '-$0.0100'],
    ],
    [
      [12_345, 400],
      ['$0.000123', '$0.000004'],
    ],
  ])('shows %j with the same decimals', (amounts, texts) => {
    expect(amounts.map(moneyColumn(amounts))).toEqual(texts);
  });

  it('shows no fewer decimals than the currency has', () => {
    expect(moneyColumn([2_000_000_000], 'kwd')(2_000_000_000).replace('\u00a0', ' ')).toBe('KWD 2.000');
  });
});

describe('describeAmountFault', () => {
  it('shows limits in units of the currency, and other messages as they are', () => {
    expect(describeAmountFault('must be 500 to 500000')).toBe('Enter $5.00 to $5,000.00.');
    expect(describeAmountFault('is required')).toBe('is required');
  });
});
