import { decodeEvent, eventTypes, type Subscription } from '@tollgate/events';
import { toSettledEntry } from '../domain/reports/request-entry.js';
import { type RequestLogContext, recordRequests } from '../operations/record-requests.js';

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
