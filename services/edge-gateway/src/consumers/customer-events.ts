import { decodeEvent, eventTypes, type Subscription } from '@tollgate/events';
import type { Context } from '../context.js';
import { revokeCustomer } from '../operations/tokens/revoke.js';

/** A consumer group, and its topics. */
export const CUSTOMER_EVENTS = { group: 'edge-gateway', topics: [eventTypes.customerDeleted.topic] };

/**
 * Revokes the tokens of deleted customers. The route that deletes a customer revokes at once; the event covers an edge
 * that stopped in between. Writing a revocation twice has no effect, so processed events are not recorded.
 */
export function customerEvents(ctx: Pick<Context, 'clock' | 'config' | 'pool' | 'revocations'>): Subscription {
  return {
    ...CUSTOMER_EVENTS,
    async handler(event) {
      if (event.type !== eventTypes.customerDeleted.type) return;
      await revokeCustomer(ctx, decodeEvent(eventTypes.customerDeleted, event).customerId);
    },
  };
}
