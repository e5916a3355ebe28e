// Every event type that an owner can subscribe to, caused through the public API and delivered to a receiver.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookEventTypes } from '@tollgate/api/hooks';
import {
  customerBody,
  type Delivery,
  type Json,
  parseDelivery,
  responsesBody,
  startWebhookReceiver,
  type WebhookReceiver,
  waitUntil,
} from '@tollgate/testkit';
import { must, type TestProject, UPSTREAM_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';
import { firstOfEach } from '../system/webhook-deliveries.js';

const WAIT_MS = 30_000;

describe('webhook events', () => {
  const system = useSystem();
  let receiver: WebhookReceiver;
  const project = useProject(system);
  let webhook: Json;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    webhook = await subscribe(project);
  });
  afterAll(async () => {
    await receiver?.stop();
  });

  async function subscribe(to: TestProject): Promise<Json> {
    const body = { endpoint_url: `${receiver.url}${to.id}`, events: webhookEventTypes };
    return must(await to.owner.post(`/projects/${to.id}/webhooks`, body), 201).webhook;
  }

  /** The event of this type with matching data. */
  async function arrival(of: TestProject, type: string, fits: (data: Json) => boolean): Promise<Delivery> {
    return await receiver.waitFor(
      (delivery) =>
        delivery.path === `/${of.id}` &&
        delivery.headers['x-service-event-type'] === type &&
        fits((parseDelivery(delivery) as Json).data),
      WAIT_MS,
    );
  }

  /** As `arrival`; checks what all events have in common and returns the data. */
  async function waitForData(type: string, fits: (data: Json) => boolean): Promise<Json> {
    const { headers, rawBody } = await arrival(project, type, fits);
    const { data, ...envelope } = JSON.parse(rawBody.toString('utf8'));
    expect(envelope).toEqual({
      event_type: type,
      event_id: headers['x-service-event-id'],
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      project_id: project.id,
    });
    const digest = createHmac('sha256', webhook.signing_secret).update(rawBody).digest('hex');
    expect(headers['x-service-signature']).toBe(`sha256=${digest}`);
    expect(headers['content-type']).toBe('application/json');
    return data;
  }

  it('delivers customer.created, customer.updated and customer.deleted in this order', async () => {
    const body = customerBody({ metadata: { plan: 'a' } });
    const { customer } = must(await project.api.post('/customers', body), 201);
    must(await project.api.put('/customers', { ...body, metadata: { plan: 'b' } }), 200);
    must(await project.api.delete(`/customers/${customer.id}`), 204);
    const ofCustomer = (data: Json) => data.customer?.id === customer.id;
    const { id, external_id, email } = customer;
    const record = { id, external_id, email, created_at: expect.any(String), updated_at: expect.any(String) };
    const created = await waitForData('customer.created', ofCustomer);
    expect(created).toEqual({ customer: { ...record, metadata: { plan: 'a' } } });
    const updated = await waitForData('customer.updated', ofCustomer);
    expect(updated).toEqual({ customer: { ...record, metadata: { plan: 'b' } } });
    expect(await waitForData('customer.deleted', ofCustomer)).toEqual({ customer: { id, external_id, email } });
    const order = firstOfEach(receiver.deliveries).filter((delivery) =>
      ofCustomer((parseDelivery(delivery) as Json).data),
    );
    expect(order.map((delivery) => delivery.headers['x-service-event-type'])).toEqual([
      'customer.created',
      'customer.updated',
      'customer.deleted',
    ]);
  });

  it('delivers billing.subscription_changed and request.completed', async () => {
    const customer = await project.customerOn('free');
    const response = must(await customer.api.post('/responses', responsesBody()), 200);
    const ofCustomer = (data: Json) => data.customer_id === customer.id;
    const changed = await waitForData('billing.subscription_changed', ofCustomer);
    expect(changed).toMatchObject({ customer_id: customer.id, subscription_status: 'active' });
    for (const field of ['tier_id', 'tier_code', 'current_period_start', 'current_period_end']) {
      expect([field, typeof changed[field]]).toEqual([field, 'string']);
    }
    const completed = await waitForData('request.completed', ofCustomer);
    expect(completed).toEqual({
      request_id: expect.any(String),
      response_id: response.id,
      model: 'sandbox/echo-1',
      provider: 'sandbox',
      status: 200,
      success: true,
      streaming: false,
      execution_origin: 'provider',
      input_tokens: response.usage.input_tokens,
      cache_read_input_tokens: 0,
      cache_write_input_tokens: 0,
      output_tokens: response.usage.output_tokens,
      total_tokens: response.usage.total_tokens,
      duration_ms: expect.any(Number),
      customer_id: customer.id,
      tier_id: changed.tier_id,
      tier_code: changed.tier_code,
    });
  });

  it('delivers usage.threshold_exceeded at 50, 80 and 100 %, once each', async () => {
    // A cent per output token, nothing for input: each output token is a percent of a dollar.
    const price = { input_price_per_million_cents: 0, output_price_per_million_cents: 1_000_000 };
    const models = [{ model_id: UPSTREAM_MODEL, is_default: true, ...price }];
    const customer = await project.customerOn('free', { spendLimitCents: 100, tier: { models } });
    const spend = async (tokens: number) => {
      const request = responsesBody(`say ${tokens} tokens`, { model: UPSTREAM_MODEL, max_output_tokens: tokens });
      must(await customer.api.post('/responses', request), 200);
    };
    for (const tokens of [40, 15, 10, 20, 15]) await spend(tokens);
    const isAtPercent = (percent: number) => (data: Json) =>
      data.customer_id === customer.id && data.threshold_percent === percent;
    for (const [percent, used] of [
      [50, 55],
      [80, 85],
      [100, 100],
    ] as const) {
      expect(await waitForData('usage.threshold_exceeded', isAtPercent(percent))).toEqual({
        customer_id: customer.id,
        tier_id: expect.any(String),
        tier_code: expect.any(String),
        plan_type: 'subscription',
        unit: 'microcents',
        threshold_percent: percent,
        percentage_used: used,
        used: used * 1_000_000,
        limit: 100_000_000,
        remaining: (100 - used) * 1_000_000,
        window_start: expect.any(String),
        window_end: expect.any(String),
      });
    }
    const told = firstOfEach(receiver.deliveries).filter(
      ({ headers, rawBody }) =>
        headers['x-service-event-type'] === 'usage.threshold_exceeded' && rawBody.includes(customer.id),
    );
    expect(told).toHaveLength(3);
  });

  it('delivers billing.payment_refunded for a refund that the owner requests', async () => {
    const customer = await project.customerOn('paygo');
    const urls = { success_url: 'https://example.org/', cancel_url: 'https://example.org/' };
    const input = { credit_amount_cents: 1_500, ...urls };
    const topUp = must(await project.api.post(`/customers/${customer.id}/topup`, input), 201);
    system.processor.pay(topUp.session_id);
    const read = async () => must(await project.api.get(`/payments/${topUp.id}`), 200);
    await waitUntil(async () => (await read()).refundable_cents === 1_500, { what: 'the payment', timeoutMs: WAIT_MS });
    const refund = (amount_cents: number, key: string) =>
      project.api.post(`/payments/${topUp.id}/refund`, { amount_cents }, { 'Idempotency-Key': key });
    expect(must(await refund(600, 'first'), 201).refund).toMatchObject({ amount_cents: 600, status: 'succeeded' });
    must(await refund(600, 'first'), 201);
    expect((await refund(901, 'too-much')).status).toBe(409);
    expect(await read()).toMatchObject({ refundable_cents: 900, payment: { reversed_cents: 600 } });
    const { balance_microcents: left } = must(await customer.api.get('/customers/me/balance'), 200);
    expect(left).toBe(900_000_000);
    expect(await waitForData('billing.payment_refunded', (data) => data.payment_id === topUp.id)).toEqual({
      payment_id: topUp.id,
      customer_id: customer.id,
      kind: 'wallet_topup',
      amount_cents: 600,
      currency: 'usd',
    });
    expect(must(await project.owner.get('/account/ledger/verify'), 200)).toMatchObject({ differences: [] });
  });

  it('delivers billing.payment_failed for a delayed payment that does not arrive', async () => {
    const customer = await project.customerOn('paygo');
    const urls = { success_url: 'https://example.org/', cancel_url: 'https://example.org/' };
    const input = { credit_amount_cents: 700, ...urls };
    const topUp = must(await project.api.post(`/customers/${customer.id}/topup`, input), 201);
    system.processor.pay(topUp.session_id, { isDelayed: true });
    system.processor.endDelayedPayment(topUp.session_id, 'failed');
    expect(await waitForData('billing.payment_failed', (data) => data.payment_id === topUp.id)).toMatchObject({
      customer_id: customer.id,
      kind: 'wallet_topup',
      amount_cents: 700,
      currency: 'usd',
    });
  });

  it('delivers billing.dispute_opened for a payment that the payer disputes at the bank', async () => {
    const customer = await project.customerOn('paygo');
    const urls = { success_url: 'https://example.org/', cancel_url: 'https://example.org/' };
    const input = { credit_amount_cents: 800, ...urls };
    const topUp = must(await project.api.post(`/customers/${customer.id}/topup`, input), 201);
    const { payment_intent: payment } = system.processor.pay(topUp.session_id);
    const read = async () => must(await project.api.get(`/payments/${topUp.id}`), 200);
    await waitUntil(async () => (await read()).refundable_cents === 800, { what: 'the payment', timeoutMs: WAIT_MS });
    const dispute = system.processor.openDispute(payment as string);
    expect(await waitForData('billing.dispute_opened', (data) => data.payment_id === topUp.id)).toMatchObject({
      customer_id: customer.id,
      kind: 'wallet_topup',
      amount_cents: 800,
      currency: 'usd',
      reason: dispute.reason,
    });
  });

  it('delivers account.admission_blocked once for a condition that lasts', async () => {
    const poor = await system.project({ fundsCents: 0 });
    await subscribe(poor);
    const refused = await poor.api.post('/responses', responsesBody('anything', { max_output_tokens: 1_000 }));
    expect([refused.status, refused.body.code]).toEqual([402, 'PROVIDER_ACCOUNT_UNFUNDED']);
    await poor.api.post('/responses', responsesBody('again', { max_output_tokens: 1_000 }));
    const { rawBody } = await arrival(poor, 'account.admission_blocked', () => true);
    const { data } = JSON.parse(rawBody.toString('utf8'));
    expect(data).toEqual({
      account_id: expect.any(String),
      refusal_code: 'PROVIDER_ACCOUNT_UNFUNDED',
      required_microcents: expect.any(Number),
      available_microcents: 0,
      shortfall_microcents: data.required_microcents,
    });
    expect(data.required_microcents).toBeGreaterThan(0);
    // A later event of the same project has arrived, so a second event of this type would also have arrived.
    const { customer } = must(await poor.api.post('/customers', customerBody()), 201);
    await arrival(poor, 'customer.created', (seen) => seen.customer.id === customer.id);
    const blocked = firstOfEach(receiver.deliveries).filter(({ path, headers }) => {
      return path === `/${poor.id}` && headers['x-service-event-type'] === 'account.admission_blocked';
    });
    expect(blocked).toHaveLength(1);
  });

  it('logs every other event type as delivered', async () => {
    const types = webhookEventTypes.filter((type) => type !== 'account.admission_blocked');
    for (const type of types) {
      const path = `/projects/${project.id}/webhooks/${webhook.id}/events?limit=1&status=delivered&event_type=${type}`;
      const logged = async () => must(await project.owner.get(path), 200).events[0];
      const event = await waitUntil(logged, { what: `${type} in the log`, timeoutMs: WAIT_MS });
      expect(event).toMatchObject({ event_type: type, status: 'delivered', response_status: 200 });
    }
  });
});
