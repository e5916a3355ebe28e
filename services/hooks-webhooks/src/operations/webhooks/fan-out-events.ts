import { consumeFresh } from '@tollgate/events';
import { type Pool, withTransaction } from '@tollgate/postgres';
import type { Context } from '../../context.js';
import type { EventHead, WebhookEvent } from '../../domain/webhooks/webhook-event.js';
import { queueDeliveries, selectWanted } from '../../store/delivery-queues.js';

const CONSUMER = 'webhooks.fan_out';
/** Keeps a transaction short: one event may have thousands of endpoints. */
const EVENTS_PER_TRANSACTION = 100;

/**
 * Queues a delivery per event and subscribed endpoint; ignores events seen before, and does not read those that no endpoint
 * receives. Returns how many were queued.
 */
export async function fanOutEvents(
  ctx: Pick<Context, 'queuePool' | 'wakeDeliveries'>,
  heads: readonly EventHead[],
): Promise<number> {
  const wanted = await selectWanted(ctx.queuePool, heads);
  let queued = 0;
  for (let first = 0; first < wanted.length; first += EVENTS_PER_TRANSACTION) {
    const part = wanted.slice(first, first + EVENTS_PER_TRANSACTION);
    queued += await queueFresh(
      ctx.queuePool,
      part.map((head) => head.read()),
    );
  }
  if (queued > 0) ctx.wakeDeliveries();
  return queued;
}

function queueFresh(pool: Pool, events: readonly WebhookEvent[]): Promise<number> {
  return withTransaction(pool, async (tx) => {
    const ids = events.map((event) => event.id);
    const fresh = await consumeFresh(tx, CONSUMER, ids);
    const news = events.filter((event) => fresh.delete(event.id));
    return news.length > 0 ? await queueDeliveries(tx, news) : 0;
  });
}
