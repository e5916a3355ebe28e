import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { runningSubscriptions } from '../../store/payments/processor-subscriptions.js';
import { undoOrdersOfProject } from '../../store/payments/undone-orders.js';
import { syncSubscription } from './sync-subscription.js';

/** How many subscriptions are read anew before the project is refused for them. */
const READ_ANEW_MAX = 10;

/**
 * Ends the open checkouts of a project that is about to be deleted.
 *
 * @throws AppError CONFLICT while the processor has running subscriptions of its customers
 */
export async function closeProject(ctx: Context, { projectId }: Principal): Promise<void> {
  await readAnew(ctx, projectId);
  await withTransaction(ctx.pool, async (tx) => {
    // Marked first: a purchase that completes in between is either counted below or undone.
    await undoOrdersOfProject(tx, projectId, ctx.clock.now());
    const { length } = await runningSubscriptions(tx, projectId);
    if (length > 0) throw new AppError('CONFLICT', refusalOf(length));
  });
  ctx.orders.wake();
}

/** The processor may have ended them without a notice so far. Where it does not answer, what was seen last counts. */
async function readAnew(ctx: Context, projectId: string): Promise<void> {
  const running = (await runningSubscriptions(ctx.pool, projectId)).slice(0, ctx.processor ? READ_ANEW_MAX : 0);
  await Promise.allSettled(running.map((id) => syncSubscription(ctx, id)));
}

function refusalOf(count: number): string {
  const subscriptions = count === 1 ? '1 running subscription' : `${count} running subscriptions`;
  return `the payment processor has ${subscriptions} of the project's customers; cancel them before deleting the project`;
}
