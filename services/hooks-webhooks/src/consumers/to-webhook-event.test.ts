import { randomUUID } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { type EventDefinition, eventTypes, newEvent } from '@tollgate/events';
import { sampleEvent } from '../domain/webhooks/sample-event.js';
import { buildPayload, WEBHOOK_EVENT_TYPES } from '../domain/webhooks/webhook-event.js';
import { toEventHead } from './to-webhook-event.js';

const projectId = randomUUID();
const customerId = randomUUID();
const tierId = randomUUID();
const at = new Date('2026-01-02T03:04:05.678Z');
const later = new Date('2026-02-02T03:04:05.678Z');
const customer = {
  projectId,
  customerId,
  externalId: 'user-7',
  email: 'user@example.com',
  tierId,
  tierCode: 'pro',
  metadataJson: '{"plan":{"seats":3}}',
  createdAt: timestampFromDate(at),
  updatedAt: timestampFromDate(later),
};

// biome-ignore lint/suspicious/noExplicitAny: any kind of event with any message
function translate(definition: EventDefinition<any>, message: object) {
  const event = { ...newEvent(definition, { key: 'k', message, occurredAt: at }), source: '/tollgate/test' };
  return toEventHead({ ...event, headers: {}, position: '0:0' })?.read();
}

/** The data as a receiver parses it. */
const translatedData = (...given: Parameters<typeof translate>) =>
  JSON.parse(JSON.stringify(translate(...given)!.data));

describe('data of webhook events', () => {
  it.each([eventTypes.customerCreated, eventTypes.customerUpdated])('converts $type', (definition) => {
    expect(translatedData(definition, customer)).toEqual({
      customer: {
        id: customerId,
        email: 'user@example.com',
        tier_id: tierId,
        tier_code: 'pro',
        external_id: 'user-7',
        metadata: { plan: { seats: 3 } },
        created_at: at.toISOString(),
        updated_at: later.toISOString(),
      },
    });
  });

  it('keeps the digits of numbers in metadata that JavaScript rounds', () => {
    const metadataJson = '{"n":12345678901234567890}';
    const event = translate(eventTypes.customerUpdated, { ...customer, metadataJson });
    expect(String(buildPayload(event!))).toContain(`"metadata":${metadataJson}`);
  });

  it('converts customer.deleted', () => {
    expect(translatedData(eventTypes.customerDeleted, customer)).toEqual({
      customer: { id: customerId, email: 'user@example.com', tier_id: tierId, tier_code: 'pro', external_id: 'user-7' },
    });
  });

  it('omits the tier of a customer without one', () => {
    const { customer: data } = translatedData(eventTypes.customerCreated, { ...customer, tierId: '', tierCode: '' });
    expect(Object.keys(data)).not.toContain('tier_id');
    expect(Object.keys(data)).not.toContain('tier_code');
  });

  it('converts request.completed', () => {
    const facts = {
      responseId: 'resp-1',
      modelId: 'sandbox/echo-1',
      provider: 'sandbox',
      status: 200,
      success: true,
      streaming: true,
      executionOrigin: 'provider',
      durationMs: 1234n,
    };
    const usage = { inputTokens: 100n, outputTokens: 20n, cacheReadInputTokens: 60n, cacheWriteInputTokens: 10n };
    const message = { requestId: 'req-1', projectId, customerId, tierId, tierCode: 'pro', facts, usage };
    const expected = {
      request_id: 'req-1',
      response_id: 'resp-1',
      model: 'sandbox/echo-1',
      provider: 'sandbox',
      status: 200,
      success: true,
      streaming: true,
      execution_origin: 'provider',
      input_tokens: 100,
      cache_read_input_tokens: 60,
      cache_write_input_tokens: 10,
      output_tokens: 20,
      total_tokens: 120,
      duration_ms: 1234,
      customer_id: customerId,
      tier_id: tierId,
      tier_code: 'pro',
    };
    expect(translatedData(eventTypes.usageRecorded, { ...message, completesRequest: true })).toEqual(expected);
    // As earlier versions of the ledger send it.
    expect(translatedData(eventTypes.requestCompleted, message)).toEqual(expected);
  });

  it('makes nothing of usage that has an event of its request, or that completes none', () => {
    const message = { requestId: 'req-1', projectId, facts: {}, usage: {} };
    expect(translate(eventTypes.usageRecorded, message)).toBeUndefined();
    expect(translate(eventTypes.usageCorrected, { ...message, completesRequest: true })).toBeUndefined();
  });

  it("omits customer and ordering key from the owner's request.completed", () => {
    const event = translate(eventTypes.usageRecorded, { requestId: 'req-1', projectId, completesRequest: true });
    expect(event).not.toHaveProperty('customerId');
    expect(JSON.stringify(event!.data)).not.toContain('customer_id');
  });

  it('converts billing.subscription_changed', () => {
    const message = {
      projectId,
      customerId,
      tierId,
      tierCode: 'pro',
      billingProvider: 'stripe',
      billingCustomerId: 'cus_1',
      billingSubscriptionId: 'sub_1',
      subscriptionStatus: 'active',
      currentPeriodStart: timestampFromDate(at),
      currentPeriodEnd: timestampFromDate(later),
    };
    expect(translatedData(eventTypes.subscriptionChanged, message)).toEqual({
      customer_id: customerId,
      tier_id: tierId,
      tier_code: 'pro',
      billing_provider: 'stripe',
      billing_customer_id: 'cus_1',
      billing_subscription_id: 'sub_1',
      subscription_status: 'active',
      current_period_start: at.toISOString(),
      current_period_end: later.toISOString(),
    });
  });

  it.each([
    [50n, 80n, 62.5, 30n],
    [80n, 80n, 100, 0n],
    [81n, 80n, 100, 0n],
    [0n, 0n, 100, 0n],
    [2n, 3n, 66.66, 1n],
  ])('converts usage.threshold_exceeded at %i of %i', (usedMicrocents, limitMicrocents, percentage, remaining) => {
    const window = { windowStart: timestampFromDate(at), windowEnd: timestampFromDate(later) };
    const message = { projectId, customerId, tierId, tierCode: 'pro', thresholdPercent: 50, ...window };
    expect(translatedData(eventTypes.thresholdExceeded, { ...message, usedMicrocents, limitMicrocents })).toEqual({
      customer_id: customerId,
      tier_id: tierId,
      tier_code: 'pro',
      plan_type: 'subscription',
      unit: 'microcents',
      threshold_percent: 50,
      percentage_used: percentage,
      used: Number(usedMicrocents),
      limit: Number(limitMicrocents),
      remaining: Number(remaining),
      window_start: at.toISOString(),
      window_end: later.toISOString(),
    });
  });

  it.each([
    [customerId, { customer_id: customerId }],
    ['', {}],
  ])('converts billing.payment_refunded of the customer %j', (id, expected) => {
    const orderId = randomUUID();
    const message = {
      projectId,
      customerId: id,
      orderId,
      purchase: 'wallet_topup',
      amountCents: 1_500n,
      currency: 'usd',
    };
    expect(translatedData(eventTypes.paymentRefunded, message)).toEqual({
      payment_id: orderId,
      kind: 'wallet_topup',
      amount_cents: 1_500,
      currency: 'usd',
      ...expected,
    });
  });

  it('converts billing.payment_failed', () => {
    const orderId = randomUUID();
    const payment = { purchase: 'wallet_topup', amountCents: 1_380n, currency: 'eur', reason: 'paid in eur' };
    expect(translatedData(eventTypes.paymentFailed, { projectId, customerId, orderId, ...payment })).toEqual({
      payment_id: orderId,
      customer_id: customerId,
      kind: 'wallet_topup',
      amount_cents: 1_380,
      currency: 'eur',
      reason: 'paid in eur',
    });
  });

  it('converts account.admission_blocked with a negative available amount', () => {
    const amounts = { requiredMicrocents: 500n, availableMicrocents: -20n, shortfallMicrocents: 520n };
    const message = { accountId: 'acc-1', projectId, refusalCode: 'PROVIDER_ACCOUNT_UNFUNDED', ...amounts };
    expect(translatedData(eventTypes.admissionBlocked, message)).toEqual({
      account_id: 'acc-1',
      refusal_code: 'PROVIDER_ACCOUNT_UNFUNDED',
      required_microcents: 500,
      available_microcents: -20,
      shortfall_microcents: 520,
    });
  });

  it('keeps the id, type, project and time of the event', () => {
    const event = translate(eventTypes.customerDeleted, customer)!;
    expect(event).toMatchObject({ type: 'customer.deleted', projectId, customerId, occurredAt: at });
    expect(event.id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('returns undefined for events that no webhook can subscribe to', () => {
    expect(translate(eventTypes.usageRecorded, { requestId: 'r' })).toBeUndefined();
  });
});

describe('the sample of each type', () => {
  const real: Record<string, unknown> = {
    'customer.created': translatedData(eventTypes.customerCreated, customer),
    'customer.updated': translatedData(eventTypes.customerUpdated, customer),
    'customer.deleted': translatedData(eventTypes.customerDeleted, customer),
    'request.completed': translatedData(eventTypes.usageRecorded, {
      completesRequest: true,
      customerId,
      tierId,
      tierCode: 'pro',
      facts: { responseId: 'resp-1' },
      usage: {},
    }),
    'billing.subscription_changed': translatedData(eventTypes.subscriptionChanged, {
      billingProvider: 'x',
      billingCustomerId: 'x',
      billingSubscriptionId: 'x',
      currentPeriodStart: timestampFromDate(at),
      currentPeriodEnd: timestampFromDate(at),
    }),
    'billing.payment_refunded': translatedData(eventTypes.paymentRefunded, { customerId }),
    'billing.payment_succeeded': translatedData(eventTypes.paymentSucceeded, {
      customerId,
      periodStart: timestampFromDate(at),
      periodEnd: timestampFromDate(at),
      invoiceUrl: 'x',
      receiptUrl: 'x',
    }),
    'billing.dispute_opened': translatedData(eventTypes.disputeOpened, { customerId }),
    'billing.payment_failed': translatedData(eventTypes.paymentFailed, { customerId, invoiceUrl: 'x' }),
    'usage.threshold_exceeded': translatedData(eventTypes.thresholdExceeded, {
      windowStart: timestampFromDate(at),
      windowEnd: timestampFromDate(at),
    }),
    'account.admission_blocked': translatedData(eventTypes.admissionBlocked, {}),
  };

  it.each(WEBHOOK_EVENT_TYPES)('has the fields of a real event for %s', (type) => {
    const sample = sampleEvent(type, { id: randomUUID(), projectId, occurredAt: at }).data;
    expect(nestedFields(sample)).toEqual(nestedFields(real[type]));
  });
});

function nestedFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === 'metadata' ? 'object' : nestedFields(inner)]),
  );
}
