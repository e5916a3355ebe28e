import { expect, it } from '@jest/globals';
import { compareRecords } from './compare-records.js';

it('returns the fields that differ, and those that have come or gone', () => {
  const before = { name: 'Pro', price: 2_000, group: 'pro', features: ['a'], limit: null };
  const after = { name: 'Pro', price: 2_500, trial: 14, features: ['a', 'b'], limit: undefined };
  expect(compareRecords(before, after)).toEqual([
    { field: 'price', before: '2000', after: '2500' },
    { field: 'group', before: 'pro' },
    { field: 'features', before: '["a"]', after: '["a","b"]' },
    { field: 'trial', after: '14' },
  ]);
});

it('cuts long values, and keeps at most a hundred fields', () => {
  const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`f${i}`, 'x'.repeat(1_000)]));
  const changes = compareRecords({}, many);
  expect(changes).toHaveLength(100);
  expect(changes[0]?.after).toHaveLength(201);
});
