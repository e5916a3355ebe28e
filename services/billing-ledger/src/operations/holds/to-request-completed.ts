import { decodeEvent, type EventRecord, eventTypes, newEvent, readEventFlag } from '@tollgate/events';

/**
 * Returns the `request.completed` of a `usage.recorded` that completes a request, for consumers of the Kafka topic. It has the
 * same id, so that a webhook made from either of them is the same webhook.
 */
export function toRequestCompleted(event: EventRecord): EventRecord | undefined {
  if (event.type !== eventTypes.usageRecorded.type) return undefined;
  if (!readEventFlag(eventTypes.usageRecorded, event, 'completesRequest')) return undefined;
  const { requestId, projectId, customerId, tierId, tierCode, facts, usage } = decodeEvent(
    eventTypes.usageRecorded,
    event,
  );
  const { id, occurredAt, traceparent } = event;
  const completed = newEvent(eventTypes.requestCompleted, {
    id,
    occurredAt,
    requestId: event.requestId,
    traceparent,
    key: customerId || projectId,
    message: {
      requestId,
      projectId,
      customerId,
      tierId,
      tierCode,
      ...(facts && { facts }),
      ...(usage && { usage }),
    },
  });
  // Source and id identify a CloudEvent.
  return { ...completed, source: `${event.source}/requests` };
}
