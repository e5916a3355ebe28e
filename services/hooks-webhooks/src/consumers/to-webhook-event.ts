import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type {
  AdmissionBlocked,
  DisputeOpened,
  PaymentFailed,
  PaymentRefunded,
  PaymentSucceeded,
  SubscriptionChanged,
  ThresholdExceeded,
} from '@tollgate/contracts/events/v1/billing_pb.js';
import type { CustomerChanged } from '@tollgate/contracts/events/v1/customers_pb.js';
import type { RequestCompleted } from '@tollgate/contracts/events/v1/requests_pb.js';
import type { UsageRecorded } from '@tollgate/contracts/events/v1/usage_pb.js';
import {
  decodeEvent,
  type EventDefinition,
  eventTypes,
  type ReceivedEvent,
  readEventFlag,
  readEventText,
} from '@tollgate/events';
import { parseExactJson } from '@tollgate/runtime';
import type { EventHead, WebhookEvent, WebhookEventType } from '../domain/webhooks/webhook-event.js';

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

/** Builds the `data` of each event type with the fields that the specification lists. Omits absent values. */
type Data = Record<string, unknown>;

function customerData(event: CustomerChanged): Data {
  const { metadataJson, createdAt, updatedAt } = event;
  return {
    customer: {
      ...deletedCustomer(event),
      metadata: metadataJson ? parseExactJson(metadataJson) : {},
      created_at: time(createdAt),
      updated_at: time(updatedAt),
    },
  };
}

function deletedCustomerData(event: CustomerChanged): Data {
  return { customer: deletedCustomer(event) };
}

function deletedCustomer(event: CustomerChanged): Data {
  const { customerId, email, tierId, tierCode, externalId } = event;
  return { id: customerId, email, tier_id: some(tierId), tier_code: some(tierCode), external_id: externalId };
}

function requestCompletedData(event: RequestCompleted | UsageRecorded): Data {
  const { requestId, customerId, tierId, tierCode, facts, usage } = event;
  const inputTokens = Number(usage?.inputTokens ?? 0n);
  const outputTokens = Number(usage?.outputTokens ?? 0n);
  return {
    request_id: requestId,
    response_id: some(facts?.responseId),
    model: facts?.modelId ?? '',
    provider: facts?.provider ?? '',
    status: facts?.status ?? 0,
    success: facts?.success ?? false,
    streaming: facts?.streaming ?? false,
    execution_origin: facts?.executionOrigin || 'provider',
    input_tokens: inputTokens,
    cache_read_input_tokens: Number(usage?.cacheReadInputTokens ?? 0n),
    cache_write_input_tokens: Number(usage?.cacheWriteInputTokens ?? 0n),
    output_tokens: outputTokens,
    // input_tokens includes the cache counters.
    total_tokens: inputTokens + outputTokens,
    duration_ms: Number(facts?.durationMs ?? 0n),
    customer_id: some(customerId),
    tier_id: some(tierId),
    tier_code: some(tierCode),
  };
}

function subscriptionChangedData(event: SubscriptionChanged): Data {
  return {
    customer_id: event.customerId,
    tier_id: event.tierId,
    tier_code: event.tierCode,
    billing_provider: some(event.billingProvider),
    billing_customer_id: some(event.billingCustomerId),
    billing_subscription_id: some(event.billingSubscriptionId),
    subscription_status: event.subscriptionStatus,
    current_period_start: time(event.currentPeriodStart),
    current_period_end: time(event.currentPeriodEnd),
  };
}

function paymentRefundedData(event: PaymentRefunded): Data {
  return {
    payment_id: event.orderId,
    customer_id: some(event.customerId),
    kind: event.purchase,
    amount_cents: Number(event.amountCents),
    currency: event.currency,
  };
}

function paymentSucceededData(event: PaymentSucceeded): Data {
  return {
    payment_id: event.paymentId,
    customer_id: event.customerId,
    kind: event.kind,
    amount_cents: Number(event.amountCents),
    tax_cents: Number(event.taxCents),
    currency: event.currency,
    period_start: time(event.periodStart),
    period_end: time(event.periodEnd),
    invoice_url: some(event.invoiceUrl),
    receipt_url: some(event.receiptUrl),
  };
}

function disputeOpenedData(event: DisputeOpened): Data {
  return {
    payment_id: event.paymentId,
    dispute_id: event.disputeId,
    customer_id: event.customerId,
    kind: event.kind,
    amount_cents: Number(event.amountCents),
    currency: event.currency,
    reason: event.reason,
  };
}

function paymentFailedData(event: PaymentFailed): Data {
  return {
    payment_id: event.orderId,
    customer_id: some(event.customerId),
    kind: event.purchase,
    amount_cents: Number(event.amountCents),
    currency: event.currency,
    reason: event.reason,
    invoice_url: some(event.invoiceUrl),
  };
}

/** Only tiers with a spend limit have thresholds, and those are subscription tiers. */
function thresholdExceededData(event: ThresholdExceeded): Data {
  const used = event.usedMicrocents;
  const limit = event.limitMicrocents;
  return {
    customer_id: event.customerId,
    tier_id: event.tierId,
    tier_code: event.tierCode,
    plan_type: 'subscription',
    unit: 'microcents',
    threshold_percent: event.thresholdPercent,
    percentage_used: toPercent(used, limit),
    used: Number(used),
    limit: Number(limit),
    remaining: Number(used < limit ? limit - used : 0n),
    window_start: time(event.windowStart),
    window_end: time(event.windowEnd),
  };
}

function admissionBlockedData(event: AdmissionBlocked): Data {
  return {
    account_id: event.accountId,
    refusal_code: event.refusalCode,
    required_microcents: Number(event.requiredMicrocents),
    available_microcents: Number(event.availableMicrocents),
    shortfall_microcents: Number(event.shortfallMicrocents),
  };
}

/** Returns 0 to 100 with two decimals, rounded down, so that 100 means fully used. */
function toPercent(used: bigint, limit: bigint): number {
  if (used >= limit) return 100;
  return Number((used * 10_000n) / limit) / 100;
}

function some(value: string | undefined): string | undefined {
  return value || undefined;
}

function time(value: Timestamp | undefined): string | undefined {
  return value && timestampDate(value).toISOString();
}
