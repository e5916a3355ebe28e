import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import { cancelLanes, findClosedWithLanes } from '../../store/cancellation.js';

const LANES_PER_TRANSACTION = 500;
/** What one call does at most; the sweeper does the rest. */
const TRANSACTIONS_MAX = 20;
const WEBHOOKS_PER_PASS = 50;

/**
 * Fails what waits for a webhook that was disabled or deleted. Nothing depends on it being complete: such a webhook is
 * never claimed. It keeps the log honest and the queue short.
 */
export async function cancelPending(ctx: Pick<Context, 'queuePool'>, webhookId: string): Promise<void> {
  for (let n = 0; n < TRANSACTIONS_MAX; n++) {
    const lanes = await withTransaction(ctx.queuePool, (tx) => cancelLanes(tx, webhookId, LANES_PER_TRANSACTION));
    if (lanes < LANES_PER_TRANSACTION) return;
  }
}

/** The sweeper's pass over leftovers; true when there may be more. */
export async function cancelLeftovers(ctx: Pick<Context, 'queuePool'>): Promise<boolean> {
  const webhookIds = await findClosedWithLanes(ctx.queuePool, WEBHOOKS_PER_PASS);
  for (const id of webhookIds) await cancelPending(ctx, id);
  return webhookIds.length === WEBHOOKS_PER_PASS;
}
