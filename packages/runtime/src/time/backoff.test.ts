import { afterEach, expect, it, jest } from '@jest/globals';
import { backoffMs } from './backoff.js';

const limits = { minMs: 100, maxMs: 1_000 };
afterEach(() => void jest.restoreAllMocks());

it('increases the ceiling twofold with every failure, up to the maximum', () => {
  jest.spyOn(Math, 'random').mockReturnValue(1);
  expect([1, 2, 3, 4, 5, 5_000].map((failures) => backoffMs(failures, limits))).toEqual([
    100, 200, 400, 800, 1_000, 1_000,
  ]);
});

it('pauses for at least half of the ceiling', () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  expect([0, 1, 2, 9].map((failures) => backoffMs(failures, limits))).toEqual([50, 50, 100, 500]);
});
