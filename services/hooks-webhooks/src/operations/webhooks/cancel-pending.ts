import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { cancelQueues, findClosedWithQueues } from '../../store/cancellation.js';

const QUEUES_PER_TRANSACTION = 500;
/** Bounds one call; the sweeper cancels the rest. */
const TRANSACTIONS_MAX = 20;
const WEBHOOKS_PER_PASS = 50;

/**
 * Fails the pending deliveries of a disabled or deleted webhook. Such a webhook is never claimed, so an incomplete pass
 * only delays the log and keeps the queue longer.
 */
export async function cancelPending(ctx: Pick<Context, 'queuePool'>, webhookId: string): Promise<void> {
  for (let n = 0; n < TRANSACTIONS_MAX; n++) {
    const canceled = await withTransaction(ctx.queuePool, (tx) => cancelQueues(tx, webhookId, QUEUES_PER_TRANSACTION));
    if (canceled < QUEUES_PER_TRANSACTION) return;
  }
}

/** Cancels remaining deliveries for the sweeper. Returns true when there may be more. */
export async function cancelLeftovers(ctx: Pick<Context, 'queuePool'>): Promise<boolean> {
  const webhookIds = await findClosedWithQueues(ctx.queuePool, WEBHOOKS_PER_PASS);
  for (const id of webhookIds) await cancelPending(ctx, id);
  return webhookIds.length === WEBHOOKS_PER_PASS;
}
