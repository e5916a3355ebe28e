import { decodeEvent, eventTypes, type ReceivedEvent } from '@tollgate/events';
import type { WebhookEventType } from '../domain/webhooks/event-types.js';
import type { WebhookEvent } from '../domain/webhooks/webhook-event.js';
import {
  admissionBlockedData,
  customerData,
  deletedCustomerData,
  requestCompletedData,
  subscriptionChangedData,
  thresholdExceededData,
} from './event-data.js';

type Translated = Pick<WebhookEvent, 'projectId' | 'customerId' | 'data'>;
type Translate = (event: ReceivedEvent) => Translated;

/** Converts each event type to a webhook event; other event types on the same topics are ignored. */
const translations: Record<WebhookEventType, Translate> = {
  'customer.created': (event) => customerEvent(decodeEvent(eventTypes.customerCreated, event), customerData),
  'customer.updated': (event) => customerEvent(decodeEvent(eventTypes.customerUpdated, event), customerData),
  'customer.deleted': (event) => customerEvent(decodeEvent(eventTypes.customerDeleted, event), deletedCustomerData),
  'request.completed': (event) => customerEvent(decodeEvent(eventTypes.requestCompleted, event), requestCompletedData),
  'billing.subscription_changed': (event) =>
    customerEvent(decodeEvent(eventTypes.subscriptionChanged, event), subscriptionChangedData),
  'usage.threshold_exceeded': (event) =>
    customerEvent(decodeEvent(eventTypes.thresholdExceeded, event), thresholdExceededData),
  'account.admission_blocked': (event) => {
    const message = decodeEvent(eventTypes.admissionBlocked, event);
    return { projectId: message.projectId, data: admissionBlockedData(message) };
  },
};

/** Returns undefined for an event to which no webhook can subscribe. */
export function toWebhookEvent(event: ReceivedEvent): WebhookEvent | undefined {
  const translate = translations[event.type as WebhookEventType] as Translate | undefined;
  if (!translate) return undefined;
  const { id, occurredAt, traceparent } = event;
  return { id, type: event.type as WebhookEventType, occurredAt, traceparent, ...translate(event) };
}

function customerEvent<M extends { projectId: string; customerId: string }>(
  message: M,
  toData: (message: M) => Record<string, unknown>,
): Translated {
  const { projectId, customerId } = message;
  return { projectId, data: toData(message), ...(customerId && { customerId }) };
}
