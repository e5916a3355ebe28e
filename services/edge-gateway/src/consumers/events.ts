import { decodeEvent, eventTypes, type Subscription } from '@tollgate/events';
import type { Context } from '../context.js';
import { toSettledEntry } from '../domain/reports/request-entry.js';
import { type RequestLogContext, recordRequests } from '../operations/record-requests.js';
import { reportFailedTopUp } from '../operations/report-failed-top-up.js';
import { revokeCustomer } from '../operations/tokens/revoke.js';

/** A consumer group of its own: members of one group must have the same topics, also during a roll-out. */
export const ACCOUNT_EVENTS = { group: 'edge-gateway-accounts', topics: [eventTypes.autoTopUpFailed.topic] };

/** Reports failed automatic top-ups. An event is reported once: its id is the id of the audit entry. */
export function accountEvents(ctx: Pick<Context, 'clock' | 'config' | 'mailer' | 'pool'>): Subscription {
  return {
    ...ACCOUNT_EVENTS,
    async handler(event) {
      if (event.type !== eventTypes.autoTopUpFailed.type) return;
      const { id, occurredAt } = event;
      await reportFailedTopUp(ctx, { id, occurredAt, message: decodeEvent(eventTypes.autoTopUpFailed, event) });
    },
  };
}

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

/** As many as come between two passes of a busy outbox share a statement. */
const EVENTS_PER_BATCH = 1_000;

/** A consumer group of its own: members of one group must have the same topics, also during a roll-out. */
export const REQUEST_EVENTS = { group: 'edge-gateway-requests', topics: [eventTypes.usageRecorded.topic] };

/**
 * Records settled requests for owners' reports. Storing an event again changes nothing, so processed events are not recorded.
 */
export function requestEvents(ctx: RequestLogContext): Subscription {
  return {
    ...REQUEST_EVENTS,
    batchMax: EVENTS_PER_BATCH,
    async batchHandler(events) {
      const readEntries = (definition: typeof eventTypes.usageRecorded) =>
        events
          .filter(({ type }) => type === definition.type)
          .map((event) => toSettledEntry(decodeEvent(definition, event), event.occurredAt, event.traceparent));
      const settled = readEntries(eventTypes.usageRecorded);
      await recordRequests(ctx, { settled, corrected: readEntries(eventTypes.usageCorrected) });
    },
  };
}
