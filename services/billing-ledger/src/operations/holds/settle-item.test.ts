import { expect, it } from '@jest/globals';
import type { Hold } from '../../domain/hold.js';
import { OpenHoldCache } from './settle-item.js';

const HOUR_MS = 3_600_000;
const hold = (holdId: string): Hold => ({ holdId, ownerAccountId: 'owner' }) as Hold;

it('returns a hold once, and only to its owner', () => {
  const cache = new OpenHoldCache();
  cache.remember(hold('a'));
  expect(cache.take('a', 'other')).toBeUndefined();
  expect(cache.take('a', 'owner')).toEqual(hold('a'));
  expect(cache.take('a')).toBeUndefined();
});

it('forgets holds that ended elsewhere after an hour, and keeps an extended hold', () => {
  let nowMs = 0;
  const cache = new OpenHoldCache(() => nowMs);
  for (const id of ['a', 'b', 'c']) cache.remember(hold(id));
  nowMs = HOUR_MS - 1;
  cache.remember(hold('b'));
  expect(cache.size).toBe(3);
  nowMs = HOUR_MS;
  cache.remember(hold('d'));
  expect(cache.size).toBe(2);
  expect([cache.take('a'), cache.take('b')?.holdId, cache.take('c'), cache.take('d')?.holdId]).toEqual([
    undefined,
    'b',
    undefined,
    'd',
  ]);
});
