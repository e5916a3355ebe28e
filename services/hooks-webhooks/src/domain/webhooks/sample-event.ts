import type { WebhookEvent, WebhookEventType } from './webhook-event.js';

const CUSTOMER_ID = '00000000-0000-4000-8000-000000000001';
const TIER_ID = '00000000-0000-4000-8000-000000000002';
const tier = { tier_id: TIER_ID, tier_code: 'sample' };
const customer = { id: CUSTOMER_ID, email: 'sample@example.com', ...tier, external_id: 'sample-customer' };

/** Builds a realistic event for testing an endpoint; its ids refer to nothing. */
export function sampleEvent(
  type: WebhookEventType,
  given: { id: string; projectId: string; occurredAt: Date },
): WebhookEvent {
  return { ...given, type, customerId: CUSTOMER_ID, data: sampleData(type, given.occurredAt) };
}

function sampleData(type: WebhookEventType, at: Date): Record<string, unknown> {
  const start = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)).toISOString();
  const end = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)).toISOString();
  switch (type) {
    case 'customer.created':
    case 'customer.updated':
      return {
        customer: { ...customer, metadata: { plan: 'sample' }, created_at: start, updated_at: at.toISOString() },
      };
    case 'customer.deleted':
      return { customer };
    case 'usage.threshold_exceeded':
      return {
        customer_id: CUSTOMER_ID,
        ...tier,
        plan_type: 'subscription',
        unit: 'microcents',
        threshold_percent: 80,
        percentage_used: 81.5,
        used: 815_000_000,
        limit: 1_000_000_000,
        remaining: 185_000_000,
        window_start: start,
        window_end: end,
      };
    case 'request.completed':
      return sampleRequest;
    case 'billing.subscription_changed':
      return {
        customer_id: CUSTOMER_ID,
        ...tier,
        billing_provider: 'external',
        billing_customer_id: 'sample-billing-customer',
        billing_subscription_id: 'sample-billing-subscription',
        subscription_status: 'active',
        current_period_start: start,
        current_period_end: end,
      };
    case 'billing.payment_succeeded':
    case 'billing.payment_failed':
    case 'billing.payment_refunded':
    case 'billing.dispute_opened':
      return samplePayment(type, { start, end });
    case 'account.admission_blocked':
      return {
        account_id: '00000000-0000-4000-8000-000000000003',
        refusal_code: 'PROVIDER_ACCOUNT_UNFUNDED',
        required_microcents: 2_000_000,
        available_microcents: 500_000,
        shortfall_microcents: 1_500_000,
      };
  }
}

function samplePayment(
  type: Extract<WebhookEventType, `billing.payment_${string}` | 'billing.dispute_opened'>,
  { start, end }: { start: string; end: string },
): Record<string, unknown> {
  switch (type) {
    case 'billing.payment_succeeded':
      return {
        payment_id: '00000000-0000-4000-8000-000000000007',
        customer_id: CUSTOMER_ID,
        kind: 'renewal',
        amount_cents: 2_000,
        tax_cents: 319,
        currency: 'usd',
        period_start: start,
        period_end: end,
        invoice_url: 'https://processor.example/invoice/sample',
        receipt_url: 'https://processor.example/receipt/sample',
      };
    case 'billing.dispute_opened':
      return {
        payment_id: '00000000-0000-4000-8000-000000000007',
        dispute_id: '00000000-0000-4000-8000-000000000008',
        customer_id: CUSTOMER_ID,
        kind: 'renewal',
        amount_cents: 2_000,
        currency: 'usd',
        reason: 'fraudulent',
      };
    case 'billing.payment_refunded':
      return {
        payment_id: '00000000-0000-4000-8000-000000000005',
        customer_id: CUSTOMER_ID,
        kind: 'wallet_topup',
        amount_cents: 1_500,
        currency: 'usd',
      };
    case 'billing.payment_failed':
      return {
        payment_id: '00000000-0000-4000-8000-000000000006',
        customer_id: CUSTOMER_ID,
        kind: 'wallet_topup',
        amount_cents: 1_380,
        currency: 'eur',
        reason: 'paid in eur instead of usd; not credited',
        invoice_url: 'https://processor.example/invoice/sample',
      };
  }
}

const sampleRequest = {
  request_id: '00000000-0000-4000-8000-000000000004',
  response_id: 'sample-response',
  model: 'sandbox/echo-1',
  provider: 'sandbox',
  status: 200,
  success: true,
  streaming: false,
  execution_origin: 'provider',
  input_tokens: 12,
  cache_read_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 34,
  total_tokens: 46,
  duration_ms: 120,
  customer_id: CUSTOMER_ID,
  ...tier,
};
