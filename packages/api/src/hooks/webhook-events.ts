import { z } from 'zod';
import { subscriptionSchema } from '../billing/customers.js';
import { jsonObject } from '../values/json-object.js';

/** The bodies that Tollgate sends to webhook endpoints. Receivers ignore members that they do not know. */

const timestamp = z.iso.datetime({ offset: true });
const tokens = z.int().min(0);
const ofTier = { tier_id: z.guid().optional(), tier_code: z.string().optional() };
const customer = z.object({
  id: z.guid(),
  external_id: z.string(),
  email: z.string(),
  ...ofTier,
});

export const webhookCustomerData = z.object({
  customer: customer.extend({ metadata: jsonObject, created_at: timestamp, updated_at: timestamp }),
});

export const webhookDeletedCustomerData = z.object({ customer });

/** Amounts are in microcents. */
export const webhookThresholdData = z.object({
  customer_id: z.guid(),
  tier_id: z.guid(),
  tier_code: z.string(),
  plan_type: z.literal('subscription'),
  unit: z.literal('microcents'),
  threshold_percent: z.int(),
  percentage_used: z.number().min(0).max(100),
  used: z.int(),
  limit: z.int(),
  remaining: z.int(),
  window_start: timestamp,
  window_end: timestamp,
});

export const webhookRequestData = z.object({
  request_id: z.string(),
  response_id: z.string().optional(),
  model: z.string(),
  provider: z.string(),
  status: z.int(),
  success: z.boolean(),
  streaming: z.boolean(),
  /** `provider`, or what answered instead of it. */
  execution_origin: z.string(),
  input_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_write_input_tokens: tokens,
  output_tokens: tokens,
  total_tokens: tokens,
  duration_ms: z.int(),
  customer_id: z.guid().optional(),
  ...ofTier,
});

export const webhookSubscriptionData = z.object({
  customer_id: z.guid(),
  tier_id: z.guid(),
  tier_code: z.string(),
  billing_provider: z.string().optional(),
  billing_customer_id: z.string().optional(),
  billing_subscription_id: z.string().optional(),
  subscription_status: subscriptionSchema.shape.subscription_status,
  current_period_start: timestamp.optional(),
  current_period_end: timestamp.optional(),
});

const paymentKind = z.enum(['wallet_topup', 'subscription', 'renewal', 'tier_change', 'invoice']);

export const webhookPaymentData = z.object({
  payment_id: z.guid(),
  customer_id: z.guid(),
  kind: paymentKind,
  amount_cents: z.int(),
  tax_cents: z.int().describe('part of the amount'),
  currency: z.string(),
  period_start: timestamp.optional(),
  period_end: timestamp.optional(),
  invoice_url: z.string().optional(),
  receipt_url: z.string().optional(),
});

export const webhookDisputeData = z.object({
  payment_id: z.guid(),
  dispute_id: z.guid(),
  customer_id: z.guid(),
  kind: paymentKind.describe('of the payment'),
  amount_cents: z.int(),
  currency: z.string(),
  reason: z.string(),
});

export const webhookRefundData = z.object({
  payment_id: z.guid(),
  customer_id: z.guid().optional(),
  kind: paymentKind,
  amount_cents: z.int().describe('of this refund'),
  currency: z.string(),
});

export const webhookFailedPaymentData = z.object({
  payment_id: z.guid(),
  customer_id: z.guid().optional(),
  kind: paymentKind,
  amount_cents: z.int(),
  currency: z.string().describe('as paid; it can differ from the currency that was asked for'),
  reason: z.string(),
  invoice_url: z.string().optional().describe('where the customer can pay the invoice'),
});

export const webhookAdmissionData = z.object({
  account_id: z.guid(),
  refusal_code: z.string(),
  required_microcents: z.int(),
  available_microcents: z.int(),
  shortfall_microcents: z.int(),
});

function event<T extends string, D extends z.ZodType>(type: T, data: D) {
  return z.object({
    event_type: z.literal(type),
    /** The same for every endpoint and every attempt. */
    event_id: z.guid(),
    timestamp,
    project_id: z.guid(),
    data,
  });
}

/** The body of a delivery, by its event type. */
export const webhookEventSchemas = {
  'customer.created': event('customer.created', webhookCustomerData),
  'customer.updated': event('customer.updated', webhookCustomerData),
  'customer.deleted': event('customer.deleted', webhookDeletedCustomerData),
  'usage.threshold_exceeded': event('usage.threshold_exceeded', webhookThresholdData),
  'request.completed': event('request.completed', webhookRequestData),
  'billing.subscription_changed': event('billing.subscription_changed', webhookSubscriptionData),
  'billing.payment_succeeded': event('billing.payment_succeeded', webhookPaymentData),
  'billing.dispute_opened': event('billing.dispute_opened', webhookDisputeData),
  'billing.payment_refunded': event('billing.payment_refunded', webhookRefundData),
  'billing.payment_failed': event('billing.payment_failed', webhookFailedPaymentData),
  'account.admission_blocked': event('account.admission_blocked', webhookAdmissionData),
} as const;

/** Describes each event type in one line. */
export const webhookEventDescriptions: Readonly<Record<keyof typeof webhookEventSchemas, string>> = {
  'customer.created': 'A customer was created',
  'customer.updated': 'A customer or its subscription was changed',
  'customer.deleted': 'A customer was deleted',
  'usage.threshold_exceeded': 'A customer has used a part of the spend limit of its tier',
  'request.completed': 'A model request has ended',
  'billing.subscription_changed': 'A subscription was created, changed or canceled',
  'billing.payment_refunded': 'A payment was refunded, in full or in part',
  'billing.payment_succeeded': 'A customer has paid: a top-up, a first payment, a renewal or a change of the tier',
  'billing.payment_failed':
    'A card could not be charged, or a payment will not be credited: it did not arrive, or came in another currency',
  'billing.dispute_opened': 'A customer disputes a payment at the bank; the money is withdrawn until it is decided',
  'account.admission_blocked': 'A request was refused because the owner’s funds or limits were exhausted',
};
