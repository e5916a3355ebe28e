import { eventTypes, type Subscription } from '@tollgate/events';
import type { Context } from '../context.js';
import { fanOutEvents } from '../operations/webhooks/fan-out-events.js';
import { toEventHead } from './to-webhook-event.js';

/** Most events are of projects without webhooks. */
const EVENTS_PER_BATCH = 1_000;

/** A consumer group of this service, and its topics. */
export const CHANGE_EVENTS = {
  group: 'hooks-webhooks',
  topics: [
    eventTypes.requestCompleted.topic,
    eventTypes.customerCreated.topic,
    eventTypes.subscriptionChanged.topic,
    eventTypes.admissionBlocked.topic,
  ],
};

/** A group of its own: members of one group must have the same topics, also during a roll-out. */
export const USAGE_EVENTS = { group: 'hooks-webhooks-usage', topics: [eventTypes.usageRecorded.topic] };

/**
 * Returns the subscriptions that queue deliveries for the events of other services. A broker has `request.completed` for each
 * usage that stands for it.
 */
export function webhookEvents(ctx: Pick<Context, 'queuePool' | 'wakeDeliveries'>, hasBroker: boolean): Subscription[] {
  const consumed = hasBroker ? [CHANGE_EVENTS] : [CHANGE_EVENTS, USAGE_EVENTS];
  return consumed.map((group) => ({
    ...group,
    batchMax: EVENTS_PER_BATCH,
    async batchHandler(received) {
      const heads = received.flatMap((event) => toEventHead(event) ?? []);
      if (heads.length > 0) await fanOutEvents(ctx, heads);
    },
  }));
}
