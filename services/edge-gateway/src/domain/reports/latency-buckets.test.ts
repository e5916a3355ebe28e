import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fromLatencyBucket, toLatencyBucket } from './latency-buckets.js';

it.each([0, 1, 99, 127])('keeps %d ms as they are', (ms) => {
  expect(fromLatencyBucket(toLatencyBucket(ms))).toBe(ms);
});

it('returns a value within 0.8 % of every other', () => {
  fc.assert(
    fc.property(fc.integer({ min: 128, max: 2 ** 40 }), (ms) => {
      expect(Math.abs(fromLatencyBucket(toLatencyBucket(ms)) - ms)).toBeLessThanOrEqual(ms / 128);
    }),
  );
});

it('keeps the order of values, also across powers of two', () => {
  for (let power = 7; power < 40; power++) {
    const [before, at, after] = [2 ** power - 1, 2 ** power, 2 ** power + 2 ** (power - 6)].map(toLatencyBucket);
    expect([at, after]).toEqual([before! + 1, before! + 2]);
  }
});

it('counts values of more than 34 years in one bucket', () => {
  expect(toLatencyBucket(2 ** 50)).toBe(toLatencyBucket(2 ** 40));
});
