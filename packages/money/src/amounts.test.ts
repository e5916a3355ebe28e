import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  AmountError,
  centsToMicrocents,
  microcentsToCentsCeil,
  microcentsToCentsFloor,
  microcentsToCentsRounded,
  microcentsToFractionalCents,
  toDecimalString,
  toJsonNumber,
  toReportNumber,
} from './amounts.js';
import { formatMicrocents } from './format.js';

describe('cents and microcents', () => {
  it('converts whole cents to microcents and back without loss', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        expect(microcentsToCentsFloor(centsToMicrocents(cents))).toBe(BigInt(cents));
        expect(microcentsToCentsCeil(centsToMicrocents(cents))).toBe(BigInt(cents));
      }),
    );
  });

  it('rounds floor down and ceil up, both by less than a cent', () => {
    fc.assert(
      fc.property(fc.bigInt(), (amount) => {
        const floor = microcentsToCentsFloor(amount) * 1_000_000n;
        const ceil = microcentsToCentsCeil(amount) * 1_000_000n;
        expect(floor <= amount && amount - floor < 1_000_000n).toBe(true);
        expect(ceil >= amount && ceil - amount < 1_000_000n).toBe(true);
      }),
    );
  });

  it.each([
    [0n, 0n],
    [499_999n, 0n],
    [500_000n, 1n],
    [1_499_999n, 1n],
    [-500_000n, 0n],
    [-500_001n, -1n],
  ])('rounds %d microcents to %d cents', (microcents, cents) => {
    expect(microcentsToCentsRounded(microcents)).toBe(cents);
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuses %d cents', (cents) => {
    expect(() => centsToMicrocents(cents)).toThrow(AmountError);
  });

  it.each([
    [0n, 0],
    [1n, 0.000001],
    [123_456_789n, 123.456789],
    [-500_000n, -0.5],
    [100_000_000n, 100],
  ])('converts %s microcents to %d cents', (microcents, cents) => {
    expect(microcentsToFractionalCents(microcents)).toBe(cents);
  });
});

describe('toJsonNumber', () => {
  it('keeps every safe integer and survives JSON', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(BigInt(JSON.parse(JSON.stringify(toJsonNumber(BigInt(value)))) as number)).toBe(BigInt(value));
      }),
    );
  });

  it.each([2n ** 53n, -(2n ** 53n), 2n ** 63n])('refuses %s, which a reader would misread', (amount) => {
    expect(() => toJsonNumber(amount)).toThrow(AmountError);
  });
});

describe('toReportNumber', () => {
  it.each([
    [0n, 0],
    [-7n, -7],
    [2n ** 53n - 1n, Number.MAX_SAFE_INTEGER],
    [2n ** 53n, Number.MAX_SAFE_INTEGER],
    [2n ** 63n - 1n, Number.MAX_SAFE_INTEGER],
    [-(2n ** 63n), -Number.MAX_SAFE_INTEGER],
  ])('reports %s as %d', (figure, reported) => {
    expect(toReportNumber(figure)).toBe(reported);
  });
});

describe('toDecimalString', () => {
  it('preserves every digit of the amount', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.nat({ max: 12 }), (amount, decimals) => {
        const [whole = '', fraction = ''] = toDecimalString(amount, decimals).split('.');
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(amount);
      }),
    );
  });
});

describe('formatMicrocents', () => {
  it.each([
    [0n, 'usd', '$0.00'],
    [100_000_000n, 'usd', '$1.00'],
    [1_234_500_000n, 'usd', '$12.345'],
    [1n, 'usd', '$0.00000001'],
    [-250_000_000n, 'eur', '-€2.50'],
    [123_456_789_012_345_678_900_000_000n, 'USD', '$1,234,567,890,123,456,789.00'],
    [500_000_000n, 'jpy', '¥5'],
    [550_000_000n, 'jpy', '¥5.5'],
    [100_000_000n, 'chf', 'CHF\u00a01.00'],
  ])('formats %s %s as %s', (amount, currency, text) => {
    expect(formatMicrocents(amount, currency)).toBe(text);
  });

  it.each(['', 'us', 'usdd', 'u$d'])('refuses %p as a currency', (currency) => {
    expect(() => formatMicrocents(1n, currency)).toThrow(AmountError);
  });
});
