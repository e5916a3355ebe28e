import { expect, it } from '@jest/globals';
import { joinedColumns, toJoinedRecord, toRecord } from './record-fields.js';

it('names the fields of a row in camel case', () => {
  const row = { id: 1, created_at: 2, price_amount_cents: null };
  expect(toRecord(row)).toEqual({ id: 1, createdAt: 2, priceAmountCents: null });
});

it('separates the tables of a joined row, each time', () => {
  expect(joinedColumns('c', ['id', 'tier_id'])).toBe('c.id AS c_id, c.tier_id AS c_tier_id');
  for (const n of [1, 2]) {
    const row = { c_id: n, c_tier_id: null, s_id: 10 * n, s_c_id: 5, id: 7 };
    expect(toJoinedRecord(row, 'c')).toEqual({ id: n, tierId: null });
    expect(toJoinedRecord(row, 's')).toEqual({ id: 10 * n, cId: 5 });
  }
});
