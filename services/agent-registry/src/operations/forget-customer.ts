import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../context.js';
import { deleteCustomerMemories, purgeDeletedCustomers } from '../store/agent-memories.js';

/** Longer than a run of a deleted customer can keep writing: each of its model calls needs an admission. */
const DELETED_CUSTOMER_KEPT_MS = 7 * 24 * 3_600_000;

/** Deletes what agents remember of a customer. Deleting twice changes nothing. */
export async function forgetCustomer(ctx: Pick<Context, 'pool' | 'clock'>, customerId: string): Promise<void> {
  const now = ctx.clock.now();
  await withTransaction(ctx.pool, async (tx) => {
    await deleteCustomerMemories(tx, customerId, now);
    await purgeDeletedCustomers(tx, new Date(now.getTime() - DELETED_CUSTOMER_KEPT_MS));
  });
}
