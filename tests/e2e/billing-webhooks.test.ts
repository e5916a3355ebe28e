// Events of the ledger at a project owner's webhook: all fields of SPEC "Webhook events".
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Delivery,
  parseDelivery,
  responsesBody,
  startWebhookReceiver,
  tierBody,
  type WebhookReceiver,
  webhookBody,
} from '@tollgate/testkit';
import { must, SANDBOX_MODEL, type TestProject } from '../system/start-system.js';
import { useSystem } from '../system/use-system.js';
import { firstOfEach } from '../system/webhook-deliveries.js';

const EVENTS = [
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'usage.threshold_exceeded',
  'billing.subscription_changed',
  'account.admission_blocked',
];
const TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/);

describe('billing webhooks', () => {
  const system = useSystem();
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterAll(async () => {
    await receiver?.stop();
  });

  async function listeningProject(fundsCents?: number): Promise<TestProject> {
    const project = await system.project(fundsCents === undefined ? {} : { fundsCents });
    const body = webhookBody(`${receiver.url}${project.id}`, { events: EVENTS });
    must(await project.owner.post(`/projects/${project.id}/webhooks`, body), 201);
    return project;
  }

  const isFor = (project: TestProject, type: string) => (delivery: Delivery) =>
    delivery.path === `/${project.id}` && delivery.headers['x-service-event-type'] === type;

  async function waitForData(
    project: TestProject,
    type: string,
    fits: (data: Record<string, unknown>) => boolean = () => true,
  ) {
    const delivery = await receiver.waitFor(
      (each) => isFor(project, type)(each) && fits(parseDelivery(each).data as Record<string, unknown>),
    );
    const event = parseDelivery(delivery);
    expect(event).toMatchObject({ event_type: type, project_id: project.id, timestamp: TIME });
    expect(event.event_id).toBe(delivery.headers['x-service-event-id']);
    return event.data;
  }

  it('delivers an event when a customer is created, updated and deleted', async () => {
    const project = await listeningProject();
    const { tier } = must(await project.owner.post(`/projects/${project.id}/tiers`, tierBody()), 201);
    const external_id = randomUUID();
    const { customer } = must(await project.api.post('/customers', { external_id, email: 'a@example.com' }), 201);
    expect(
      await waitForData(project, 'customer.created', ({ customer: c }) => (c as { id: string }).id === customer.id),
    ).toEqual({
      customer: {
        id: customer.id,
        email: 'a@example.com',
        external_id,
        metadata: {},
        created_at: TIME,
        updated_at: TIME,
      },
    });
    must(await project.api.put(`/customers/${customer.id}/subscription`, { tier_code: tier.tier_code }), 200);
    const change = { external_id, email: 'b@example.com', metadata: { seats: 3 } };
    must(await project.api.put('/customers', change), 200);
    const onTier = {
      id: customer.id,
      email: 'b@example.com',
      external_id,
      tier_id: tier.id,
      tier_code: tier.tier_code,
    };
    expect(await waitForData(project, 'customer.updated')).toEqual({
      customer: { ...onTier, metadata: { seats: 3 }, created_at: TIME, updated_at: TIME },
    });
    must(await project.api.delete(`/customers/${customer.id}`), 204);
    expect(await waitForData(project, 'customer.deleted')).toEqual({ customer: onTier });
  });

  it('delivers billing.subscription_changed when the owner sets a subscription', async () => {
    const project = await listeningProject();
    const body = tierBody({ price_amount_cents: 900, billing_provider: 'external' });
    const { tier } = must(await project.owner.post(`/projects/${project.id}/tiers`, body), 201);
    const { customer } = must(
      await project.api.post('/customers', { external_id: randomUUID(), email: 'a@example.com' }),
      201,
    );
    const facts = {
      tier_code: tier.tier_code,
      billing_provider: 'external',
      billing_customer_id: 'c-1',
      billing_subscription_id: 's-1',
      subscription_status: 'past_due',
      current_period_start: '2026-01-01T00:00:00.000Z',
      current_period_end: '2026-02-01T00:00:00.000Z',
    };
    must(
      await project.api.put(`/customers/${customer.id}/subscription`, { ...facts, billing_provider: undefined }),
      200,
    );
    expect(await waitForData(project, 'billing.subscription_changed')).toEqual({
      customer_id: customer.id,
      tier_id: tier.id,
      ...facts,
    });
  });

  it('delivers each threshold of an allowance once', async () => {
    const project = await listeningProject();
    const models = [
      {
        model_id: SANDBOX_MODEL,
        is_default: true,
        input_price_per_million_cents: 500,
        output_price_per_million_cents: 0,
      },
    ];
    const customer = await project.customerOn('free', { spendLimitCents: 1, tier: { models } });
    // 1,004 input tokens cost just over half of the cent; the second request would exceed it, so the rest is used.
    const ask = (bytes: number) =>
      customer.api.post('/responses', responsesBody('x'.repeat(bytes), { max_output_tokens: 1 }));
    const { usage } = must(await ask(4_000), 200);
    const used = usage.input_tokens * 500;
    must(await ask(3_200), 200);
    const { usage: after } = must(await customer.api.get('/customers/me/usage'), 200);
    const half = await waitForData(project, 'usage.threshold_exceeded', ({ threshold_percent: p }) => p === 50);
    const { subscription } = must(await customer.api.get('/customers/me/subscription'), 200);
    expect(half).toEqual({
      customer_id: customer.id,
      tier_id: expect.any(String),
      tier_code: expect.any(String),
      plan_type: 'subscription',
      unit: 'microcents',
      threshold_percent: 50,
      percentage_used: Math.floor(used / 100) / 100,
      used,
      limit: 1_000_000,
      remaining: 1_000_000 - used,
      window_start: subscription.current_period_start,
      window_end: subscription.current_period_end,
    });
    const most = await waitForData(project, 'usage.threshold_exceeded', ({ threshold_percent: p }) => p === 80);
    expect(most).toMatchObject({ used: after.total_cost_microcents, remaining: after.spend_remaining_microcents });
    expect(after.low).toBe(true);
    // Sent after both of them, so every earlier event has arrived.
    must(await project.api.delete(`/customers/${customer.id}`), 204);
    await waitForData(project, 'customer.deleted');
    expect(firstOfEach(receiver.deliveries).filter(isFor(project, 'usage.threshold_exceeded'))).toHaveLength(2);
  });

  it('reports once that the owner’s balance does not cover a request', async () => {
    const project = await listeningProject(1);
    const customer = await project.customerOn('free');
    // 10,004 input tokens at 100 cents per million and one output token at 300; one cent is available.
    const ask = () => customer.api.post('/responses', responsesBody('x'.repeat(40_000), { max_output_tokens: 1 }));
    for (let i = 0; i < 3; i++) expect((await ask()).status).toBe(503);
    expect(await waitForData(project, 'account.admission_blocked')).toEqual({
      account_id: expect.any(String),
      refusal_code: 'PROVIDER_ACCOUNT_UNFUNDED',
      required_microcents: 1_000_700,
      available_microcents: 1_000_000,
      shortfall_microcents: 700,
    });
    must(await project.api.delete(`/customers/${customer.id}`), 204);
    await waitForData(project, 'customer.deleted');
    expect(firstOfEach(receiver.deliveries).filter(isFor(project, 'account.admission_blocked'))).toHaveLength(1);
  });
});
