import { decodeEvent, eventTypes, type Subscription } from '@tollgate/events';
import type { Context } from '../context.js';
import { forgetCustomer } from '../operations/forget-customer.js';

/** The consumer group of this service, and its topics. */
export const CONSUMED = { group: 'agent-registry', topics: [eventTypes.customerDeleted.topic] };

/** Deletes the memory of deleted customers. */
export function customerEvents(ctx: Pick<Context, 'pool' | 'clock'>): Subscription {
  return {
    ...CONSUMED,
    async handler(event) {
      if (event.type !== eventTypes.customerDeleted.type) return;
      await forgetCustomer(ctx, decodeEvent(eventTypes.customerDeleted, event).customerId);
    },
  };
}
