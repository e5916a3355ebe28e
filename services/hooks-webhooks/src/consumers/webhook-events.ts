import { eventTypes, type Subscription } from '@tollgate/events';
import type { Context } from '../context.js';
import { fanOutEvents } from '../operations/webhooks/fan-out-events.js';
import { toWebhookEvent } from './to-webhook-event.js';

/** One event may have thousands of endpoints; a batch stays one short transaction. */
const EVENTS_PER_BATCH = 100;

/** Turns the events of the other services into queued deliveries. */
export function webhookEvents(ctx: Context): Subscription {
  return {
    group: 'hooks-webhooks',
    topics: [
      eventTypes.requestCompleted.topic,
      eventTypes.customerCreated.topic,
      eventTypes.subscriptionChanged.topic,
      eventTypes.admissionBlocked.topic,
    ],
    batchMax: EVENTS_PER_BATCH,
    async batchHandler(received) {
      const events = received.flatMap((event) => toWebhookEvent(event) ?? []);
      if (events.length > 0) await fanOutEvents(ctx, events);
    },
  };
}
