import { expect, it } from '@jest/globals';
import { customerListQuery } from '@tollgate/api/billing';
import { startCall } from '@tollgate/rpc';
import { countTurns } from '@tollgate/testkit';
import { readCustomerPage } from './read-customer-page.js';

/** Ten requests whose answers arrive at the same time. */
function readTenPages(size: number): Promise<unknown> {
  const customers = Array.from({ length: size }, (_, i) => ({ customer: { id: `c${i}`, metadataJson: '{}' } }));
  const listCustomers = async () => ({ customers, hasMore: false });
  const ctx = { clients: { billing: { listCustomers } } } as never;
  const query = customerListQuery.parse({});
  return Promise.all(Array.from({ length: 10 }, () => readCustomerPage(ctx, query, startCall())));
}

it('renders large pages that arrive together in turns of the event loop of their own', async () => {
  expect(await countTurns(() => readTenPages(200))).toBeGreaterThanOrEqual(10);
  expect(await countTurns(() => readTenPages(2))).toBeLessThan(5);
});
