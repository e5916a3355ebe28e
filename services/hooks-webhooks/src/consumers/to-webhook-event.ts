import {
  decodeEvent,
  type EventDefinition,
  eventTypes,
  type ReceivedEvent,
  readEventFlag,
  readEventText,
} from '@tollgate/events';
import type { WebhookEventType } from '../domain/webhooks/event-types.js';
import type { EventHead, WebhookEvent } from '../domain/webhooks/webhook-event.js';
import {
  admissionBlockedData,
  customerData,
  deletedCustomerData,
  disputeOpenedData,
  paymentFailedData,
  paymentRefundedData,
  paymentSucceededData,
  requestCompletedData,
  subscriptionChangedData,
  thresholdExceededData,
} from './event-data.js';

type Translated = Pick<WebhookEvent, 'projectId' | 'customerId' | 'data'>;
type Translate = (event: ReceivedEvent) => Translated;

/** Converts each event to a webhook event by its type; other event types on the same topics are ignored. */
const translations: Record<WebhookEventType, Translate> = {
  'customer.created': (event) => customerEvent(decodeEvent(eventTypes.customerCreated, event), customerData),
  'customer.updated': (event) => customerEvent(decodeEvent(eventTypes.customerUpdated, event), customerData),
  'customer.deleted': (event) => customerEvent(decodeEvent(eventTypes.customerDeleted, event), deletedCustomerData),
  'request.completed': (event) => customerEvent(decodeEvent(eventTypes.requestCompleted, event), requestCompletedData),
  'billing.subscription_changed': (event) =>
    customerEvent(decodeEvent(eventTypes.subscriptionChanged, event), subscriptionChangedData),
  'billing.payment_succeeded': (event) =>
    customerEvent(decodeEvent(eventTypes.paymentSucceeded, event), paymentSucceededData),
  'billing.dispute_opened': (event) => customerEvent(decodeEvent(eventTypes.disputeOpened, event), disputeOpenedData),
  'billing.payment_refunded': (event) =>
    customerEvent(decodeEvent(eventTypes.paymentRefunded, event), paymentRefundedData),
  'billing.payment_failed': (event) => customerEvent(decodeEvent(eventTypes.paymentFailed, event), paymentFailedData),
  'usage.threshold_exceeded': (event) =>
    customerEvent(decodeEvent(eventTypes.thresholdExceeded, event), thresholdExceededData),
  'account.admission_blocked': (event) => {
    const message = decodeEvent(eventTypes.admissionBlocked, event);
    return { projectId: message.projectId, data: admissionBlockedData(message) };
  },
};

const definitions: Record<WebhookEventType, EventDefinition> = {
  'customer.created': eventTypes.customerCreated,
  'customer.updated': eventTypes.customerUpdated,
  'customer.deleted': eventTypes.customerDeleted,
  'request.completed': eventTypes.requestCompleted,
  'billing.subscription_changed': eventTypes.subscriptionChanged,
  'billing.payment_succeeded': eventTypes.paymentSucceeded,
  'billing.dispute_opened': eventTypes.disputeOpened,
  'billing.payment_refunded': eventTypes.paymentRefunded,
  'billing.payment_failed': eventTypes.paymentFailed,
  'usage.threshold_exceeded': eventTypes.thresholdExceeded,
  'account.admission_blocked': eventTypes.admissionBlocked,
};

/** Returns undefined for an event to which no webhook can subscribe. */
export function toEventHead(event: ReceivedEvent): EventHead | undefined {
  const { type } = event;
  if (type === eventTypes.usageRecorded.type) return toRequestHead(event);
  if (!isWebhookEventType(type)) return undefined;
  const projectId = readEventText(definitions[type], event, 'projectId');
  return { type, projectId, read: () => toWebhookEvent(event, type, translations[type]) };
}

/** A usage that ends a request is its `request.completed`. */
function toRequestHead(event: ReceivedEvent): EventHead | undefined {
  const definition = eventTypes.usageRecorded;
  if (!readEventFlag(definition, event, 'completesRequest')) return undefined;
  const type = 'request.completed';
  const projectId = readEventText(definition, event, 'projectId');
  const translate: Translate = () => customerEvent(decodeEvent(definition, event), requestCompletedData);
  return { type, projectId, read: () => toWebhookEvent(event, type, translate) };
}

function toWebhookEvent(event: ReceivedEvent, type: WebhookEventType, translate: Translate): WebhookEvent {
  const { id, occurredAt, traceparent } = event;
  return { id, type, occurredAt, traceparent, ...translate(event) };
}

function isWebhookEventType(type: string): type is WebhookEventType {
  return Object.hasOwn(definitions, type);
}

function customerEvent<M extends { projectId: string; customerId: string }>(
  message: M,
  toData: (message: M) => Record<string, unknown>,
): Translated {
  const { projectId, customerId } = message;
  return { projectId, data: toData(message), ...(customerId && { customerId }) };
}
