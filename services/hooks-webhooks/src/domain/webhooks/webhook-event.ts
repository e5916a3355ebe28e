import type { WebhookEventType } from './event-types.js';

/** Something that happened, as every subscribed endpoint of the project is told of it. */
export interface WebhookEvent {
  /** The id of the occurrence: the same for every endpoint and every attempt. */
  id: string;
  type: WebhookEventType;
  projectId: string;
  occurredAt: Date;
  /** Events with the same key reach one endpoint in order. Absent = no order is promised. */
  customerId?: string;
  data: Record<string, unknown>;
}

/** The body of every delivery of the event; built once and stored, since attempts sign and send these bytes. */
export function buildPayload(event: WebhookEvent): Buffer {
  return Buffer.from(
    JSON.stringify({
      event_type: event.type,
      event_id: event.id,
      timestamp: event.occurredAt.toISOString(),
      project_id: event.projectId,
      data: event.data,
    }),
  );
}
