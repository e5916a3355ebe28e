import { consumeFresh } from '@tollgate/events';
import { withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import type { EventHead } from '../../domain/webhooks/webhook-event.js';
import { queueDeliveries, selectWanted } from '../../store/fan-out.js';

const CONSUMER = 'webhooks.fan_out';

/**
 * Queues a delivery per event and subscribed endpoint; ignores events seen before, and does not read those that no endpoint
 * receives. Returns how many were queued.
 */
export async function fanOutEvents(
  ctx: Pick<Context, 'queuePool' | 'wakeDeliveries'>,
  heads: readonly EventHead[],
): Promise<number> {
  const wanted = (await selectWanted(ctx.queuePool, heads)).map((head) => head.read());
  if (wanted.length === 0) return 0;
  const queued = await withTransaction(ctx.queuePool, async (tx) => {
    const ids = wanted.map((event) => event.id);
    const fresh = await consumeFresh(tx, CONSUMER, ids);
    const news = wanted.filter((event) => fresh.delete(event.id));
    return news.length > 0 ? await queueDeliveries(tx, news) : 0;
  });
  if (queued > 0) ctx.wakeDeliveries();
  return queued;
}
