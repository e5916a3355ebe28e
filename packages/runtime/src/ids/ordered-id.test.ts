import { expect, it } from '@jest/globals';
import { newOrderedId } from './ordered-id.js';

it('generates UUIDs of version 7 that sort by time', () => {
  const [early, late] = [newOrderedId(1_700_000_000_000), newOrderedId(1_700_000_000_001)];
  expect(early).toMatch(/^018bcfe5-6800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(early < late).toBe(true);
});

it('generates different ids within a millisecond', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => newOrderedId(0))).size).toBe(1_000);
});
