import { describe, expect, it } from '@jest/globals';
import { customerTokenTtlSeconds } from './customer-token-ttl.js';

const DAY = 86_400;

describe('customerTokenTtlSeconds', () => {
  it.each([
    ['seven days by default', undefined, undefined, 7 * DAY],
    ['the requested lifetime', 60, undefined, 60],
    ['thirty days at most', 365 * DAY, undefined, 30 * DAY],
    ['the tier’s maximum at most', 10 * DAY, DAY, DAY],
    ['the tier’s maximum also for the default', undefined, 3_600, 3_600],
    ['at most the service maximum', 90 * DAY, 60 * DAY, 30 * DAY],
  ])('returns %s', (_what, requested, tierMax, expected) => {
    expect(customerTokenTtlSeconds(requested, tierMax)).toBe(expected);
  });
});
