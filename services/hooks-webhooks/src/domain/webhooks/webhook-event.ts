import { writeExactJson } from '@tollgate/runtime/exact-json';
import type { WebhookEventType } from './event-types.js';

/** An event as it is sent to every subscribed endpoint of the project. */
export interface WebhookEvent {
  /** The event's id: the same for every endpoint and every attempt. */
  id: string;
  type: WebhookEventType;
  projectId: string;
  occurredAt: Date;
  /** Ordering key: an endpoint receives the events of one customer in order. Absent = no order is guaranteed. */
  customerId?: string;
  data: Record<string, unknown>;
  /** W3C context of its cause. */
  traceparent?: string | undefined;
}

/** The part of an event that decides whether an endpoint receives it; few events are read. */
export interface EventHead extends Pick<WebhookEvent, 'type' | 'projectId'> {
  read(): WebhookEvent;
}

/** Builds the body of the event's deliveries once; it is stored, and every attempt signs and sends the same bytes. */
export function buildPayload(event: WebhookEvent): Buffer {
  return Buffer.from(
    writeExactJson({
      event_type: event.type,
      event_id: event.id,
      timestamp: event.occurredAt.toISOString(),
      project_id: event.projectId,
      data: event.data,
    }),
  );
}
