import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import { deleteConnectionsOfProject } from '../../../store/connections/connections.js';
import { runningSubscriptions } from '../../../store/payments/processor-subscriptions.js';
import { undoOrdersOfProject } from '../../../store/payments/undone-orders.js';
import type { PaymentContext } from '../payment-context.js';
import { syncSubscription } from '../webhook-events/sync-subscription.js';

/** At most this many subscriptions are refreshed before the project is refused. */
const REFRESHED_MAX = 10;

/**
 * Marks the open purchases of a project to be undone and deletes its connections, before the project is deleted.
 *
 * @throws AppError CONFLICT while the processor has running subscriptions of its customers
 */
export async function closeProject(ctx: PaymentContext, { projectId }: Principal): Promise<void> {
  await refreshRunning(ctx, projectId);
  await withTransaction(ctx.pool, async (tx) => {
    // Mark before counting: a purchase that completes concurrently is then either counted or undone.
    await undoOrdersOfProject(tx, projectId, ctx.clock.now());
    const { length } = await runningSubscriptions(tx, projectId);
    if (length > 0) throw new AppError('CONFLICT', refusalMessage(length));
    await deleteConnectionsOfProject(tx, projectId);
  });
  ctx.orders.wake();
}

/** Refreshes subscriptions that may have ended without a webhook event. If the processor is unavailable, the last known status counts. */
async function refreshRunning(ctx: PaymentContext, projectId: string): Promise<void> {
  const running = (await runningSubscriptions(ctx.pool, projectId)).slice(0, ctx.processor ? REFRESHED_MAX : 0);
  await Promise.allSettled(running.map((id) => syncSubscription(ctx, id)));
}

function refusalMessage(count: number): string {
  const subscriptions = count === 1 ? '1 running subscription' : `${count} running subscriptions`;
  return `the payment processor has ${subscriptions} of the project's customers; cancel them before deleting the project`;
}
