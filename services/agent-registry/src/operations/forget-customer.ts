import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../context.js';
import { deleteCustomerMemories, purgeDeletedCustomers } from '../store/agent-memories.js';

/** Longer than a deleted customer's run can write: each of its model calls needs an admission. */
const DELETED_CUSTOMER_KEPT_MS = 7 * 24 * 3_600_000;

/** Old markers that one deletion of a customer removes: more than it adds. */
const MARKERS_MAX = 100;

/** Deletes the agents' memories of a customer. Idempotent. */
export async function forgetCustomer(ctx: Pick<Context, 'pool' | 'clock'>, customerId: string): Promise<void> {
  const now = ctx.clock.now();
  await withTransaction(ctx.pool, async (tx) => {
    await deleteCustomerMemories(tx, customerId, now);
    await purgeDeletedCustomers(tx, new Date(now.getTime() - DELETED_CUSTOMER_KEPT_MS), MARKERS_MAX);
  });
}
