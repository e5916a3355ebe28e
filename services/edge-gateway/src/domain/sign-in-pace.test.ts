import { describe, expect, it } from '@jest/globals';
import { lockoutMs, pauseMs } from './sign-in-pace.js';

describe('lockoutMs', () => {
  it.each([
    [0, 0],
    [9, 0],
    [10, 60_000],
    [11, 120_000],
    [15, 1_920_000],
    [16, 3_600_000],
    [1_000_000, 3_600_000],
  ])('returns after %i failures %i ms', (failures, ms) => {
    expect(lockoutMs(failures)).toBe(ms);
  });
});

describe('pauseMs', () => {
  it.each([
    [9, 0],
    [10, 1_000],
    [15, 32_000],
    [16, 60_000],
    [1_000_000, 60_000],
  ])('returns after %i failures %i ms', (failures, ms) => {
    expect(pauseMs(failures)).toBe(ms);
  });
});
