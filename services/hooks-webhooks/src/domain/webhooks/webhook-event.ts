import { writeExactJson } from '@tollgate/runtime/exact-json';

/** The closed list of event types an endpoint can subscribe to. */
export const WEBHOOK_EVENT_TYPES = [
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'usage.threshold_exceeded',
  'request.completed',
  'billing.subscription_changed',
  'billing.payment_succeeded',
  'billing.payment_refunded',
  'billing.payment_failed',
  'billing.dispute_opened',
  'account.admission_blocked',
] as const;

export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

export function isWebhookEventType(value: string): value is WebhookEventType {
  return (WEBHOOK_EVENT_TYPES as readonly string[]).includes(value);
}

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
