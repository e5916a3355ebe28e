import { expect, it } from '@jest/globals';
import type { Queryable } from '@tollgate/postgres';
import { countTurns } from '@tollgate/testkit';
import { selectCustomers } from './customer-records.js';

const row = { c_id: 'c', c_created_at: 1, s_id: 's', s_tier_id: 't', t_id: 't', t_tier_code: 'free' };

/** Ten readers whose rows arrive at the same time. */
function readTenPages(rowCount: number): Promise<unknown> {
  const db = { query: async () => ({ rows: Array(rowCount).fill(row) }) } as unknown as Queryable;
  return Promise.all(Array.from({ length: 10 }, () => selectCustomers(db, '', [])));
}

it('converts customers with their subscriptions and tiers', async () => {
  const db = { query: async () => ({ rows: [row, { ...row, s_id: null }] }) } as unknown as Queryable;
  const subscription = { id: 's', tierId: 't', tier: { id: 't', tierCode: 'free' }, price: {} };
  expect(await selectCustomers(db, '', [])).toEqual([
    { id: 'c', createdAt: 1, subscription },
    { id: 'c', createdAt: 1, subscription: null },
  ]);
});

it('converts large pages that arrive together in turns of the event loop of their own', async () => {
  expect(await countTurns(() => readTenPages(200))).toBeGreaterThanOrEqual(10);
  expect(await countTurns(() => readTenPages(2))).toBeLessThan(5);
});
