import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { type ControllableClock, controllableClock } from '../controllable-clock.js';
import { closeServer, listenOnLoopback } from '../http-server.js';
import { waitUntil } from '../wait-until.js';
import {
  type PaymentProcessor,
  type PaymentProcessorOptions,
  startPaymentProcessor,
} from './start-payment-processor.js';

// Checks the fake with the processor's own client library.

const SECRET = 'whsec_of_the_double';
const URLS = { success_url: 'https://shop.example/ok?s={CHECKOUT_SESSION_ID}', cancel_url: 'https://shop.example/no' };

let clock: ControllableClock;
let processor: PaymentProcessor;
let stripe: Stripe;

async function start(options: PaymentProcessorOptions = {}): Promise<void> {
  processor = await startPaymentProcessor({ clock, tickMs: 0, ...options });
  stripe = createClient(processor);
}

function createClient({ baseUrl }: PaymentProcessor): Stripe {
  const { hostname, port } = new URL(baseUrl);
  return new Stripe('sk_test_double', {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

beforeEach(async () => {
  clock = controllableClock();
  await start();
});
afterEach(() => processor.stop());

const types = () => processor.webhooks.all().map((event) => event.type);
const monthly = (unit_amount: number) =>
  stripe.prices.create({ currency: 'usd', unit_amount, recurring: { interval: 'month' }, product_data: { name: 'x' } });

async function customerWithCard(card = 'pm_card_visa'): Promise<{ customer: string; card: string }> {
  const { id: customer } = await stripe.customers.create({ email: 'payer@example.com' });
  const { id } = await stripe.paymentMethods.attach(card, { customer });
  return { customer, card: id };
}

async function subscribed(amount: number, options: { card?: string; trialDays?: number } = {}) {
  const { customer, card } = await customerWithCard(options.card);
  const price = await monthly(amount);
  return stripe.subscriptions.create({
    customer,
    items: [{ price: price.id }],
    default_payment_method: card,
    ...(options.trialDays && { trial_period_days: options.trialDays }),
  });
}

/** Fills in the form of the page and sends it, as a person does in a browser. */
async function submit(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

describe('the interface', () => {
  it('takes no request without a secret key', async () => {
    const { hostname, port } = new URL(processor.baseUrl);
    const stranger = new Stripe('nonsense', { host: hostname, port, protocol: 'http' });
    await expect(stranger.customers.create()).rejects.toMatchObject({ statusCode: 401 });
  });

  it('rejects unknown parameters instead of ignoring them', async () => {
    const params = { email: 'a@example.com', emial: 'b' } as Stripe.CustomerCreateParams;
    await expect(stripe.customers.create(params)).rejects.toThrow('unknown parameter: emial');
  });

  it('names the missing object', async () => {
    await expect(stripe.subscriptions.retrieve('sub_none')).rejects.toMatchObject({
      type: 'StripeInvalidRequestError',
      code: 'resource_missing',
    });
  });

  it('returns the same answer for the same key, and rejects the key for other parameters', async () => {
    const first = await stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'one' });
    const again = await stripe.customers.create({ email: 'a@example.com' }, { idempotencyKey: 'one' });
    expect(again.id).toBe(first.id);
    await expect(stripe.customers.create({ email: 'b@example.com' }, { idempotencyKey: 'one' })).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
    });
  });

  it('charges once when an answer was lost and the call is repeated under its key', async () => {
    const { customer, card } = await customerWithCard();
    const charge = () =>
      stripe.paymentIntents.create(
        { amount: 900, currency: 'usd', customer, payment_method: card, confirm: true, off_session: true },
        { idempotencyKey: 'charge' },
      );
    // The library repeats a call by itself when its connection is closed: both of its attempts are cut.
    processor.faults.cut(/payment_intents/, 'after', 2);
    await expect(charge()).rejects.toMatchObject({ type: 'StripeConnectionError' });
    const intent = await charge();
    expect(intent.status).toBe('succeeded');
    expect((await stripe.paymentIntents.list({ customer })).data.map(({ id }) => id)).toEqual([intent.id]);
  });
});

describe('cards', () => {
  it('gives a card the same fingerprint on every account, and new cards different ones', async () => {
    const prints = await Promise.all(
      ['pm_card_visa', 'pm_card_visa', 'pm_card_new', 'pm_card_new'].map(async (card) => {
        const method = await stripe.paymentMethods.retrieve((await customerWithCard(card)).card);
        return method.card?.fingerprint;
      }),
    );
    expect(prints[0]).toBe(prints[1]);
    expect(new Set(prints).size).toBe(3);
  });

  it('declines with the failed payment in the error', async () => {
    const { customer, card } = await customerWithCard('pm_card_chargeCustomerFail');
    await expect(
      stripe.paymentIntents.create({ amount: 900, currency: 'usd', customer, payment_method: card, confirm: true }),
    ).rejects.toMatchObject({
      type: 'StripeCardError',
      code: 'card_declined',
      payment_intent: { status: 'requires_payment_method' },
    });
    expect(types()).toContain('payment_intent.payment_failed');
  });

  it('keeps a card by a setup that the payer confirms', async () => {
    const { id: customer } = await stripe.customers.create({});
    const intent = await stripe.setupIntents.create({ customer, usage: 'off_session' });
    expect(intent.status).toBe('requires_payment_method');
    const page = `${processor.baseUrl}/setup/${intent.id}`;
    expect((await fetch(`${page}?client_secret=wrong`)).status).toBe(404);
    const secret = intent.client_secret ?? '';
    expect((await submit(page, { client_secret: secret, do: 'decline', card: 'pm_card_visa' })).status).toBe(402);
    expect((await submit(page, { client_secret: secret, do: 'pay', card: 'pm_card_visa' })).status).toBe(200);
    const done = await stripe.setupIntents.retrieve(intent.id, { expand: ['payment_method'] });
    expect(done).toMatchObject({ status: 'succeeded', payment_method: { card: { last4: '4242', funding: 'credit' } } });
    expect((await stripe.customers.listPaymentMethods(customer)).data).toHaveLength(1);
  });
});

describe('the checkout page', () => {
  const topUp = (customer?: string) =>
    stripe.checkout.sessions.create({
      ...URLS,
      mode: 'payment',
      line_items: [
        { price_data: { currency: 'usd', unit_amount: 1_500, product_data: { name: 'Credit <1>' } }, quantity: 1 },
      ],
      ...(customer !== undefined && { customer }),
      payment_intent_data: { metadata: { order: 'o1' } },
      saved_payment_method_options: { payment_method_save: 'enabled' },
    });

  it('serves one plain form without scripts that shows the purchase', async () => {
    const session = await topUp();
    const response = await fetch(session.url ?? '');
    const html = await response.text();
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(html.match(/<form/g)).toHaveLength(1);
    expect(html).not.toMatch(/<script| on\w+=/);
    for (const shown of ['Credit &lt;1&gt;', '$15.00', 'prepaid', 'A new card', 'Cancel'])
      expect(html).toContain(shown);
    for (const wish of ['pay', 'decline', 'cancel']) expect(html).toContain(`value="${wish}"`);
  });

  it('redirects to the success address after the payment', async () => {
    const session = await topUp();
    const paid = await submit(session.url ?? '', { do: 'pay', card: 'pm_card_visa' });
    expect(paid.status).toBe(303);
    expect(paid.headers.get('location')).toBe(`https://shop.example/ok?s=${session.id}`);
    const after = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent'] });
    expect(after).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      payment_intent: { amount_received: 1_500, metadata: { order: 'o1' } },
    });
    expect(types()).toEqual(['payment_intent.succeeded', 'charge.succeeded', 'checkout.session.completed']);
    expect((await fetch(session.url ?? '')).status).toBe(410);
  });

  it('stays open after a declined card, and redirects to the cancel address after a cancellation', async () => {
    const session = await topUp();
    const declined = await submit(session.url ?? '', { do: 'decline' });
    expect(declined.status).toBe(402);
    expect(await declined.text()).toContain('declined');
    const failing = await submit(session.url ?? '', { do: 'pay', card: 'pm_card_chargeCustomerFail' });
    expect(failing.status).toBe(402);
    const canceled = await submit(session.url ?? '', { do: 'cancel' });
    expect(canceled.headers.get('location')).toBe('https://shop.example/no');
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open');
  });

  it.each([
    ['the card if the payer chooses so', '1', 1],
    ['no card otherwise', '', 0],
  ])('keeps %s', async (_, save, kept) => {
    const { id: customer } = await stripe.customers.create({ email: 'payer@example.com' });
    const session = await topUp(customer);
    await submit(session.url ?? '', { do: 'pay', card: 'pm_card_visa', save });
    expect((await stripe.customers.listPaymentMethods(customer, { type: 'card' })).data).toHaveLength(kept);
  });

  it('creates a customer with the email of a subscriber without an account', async () => {
    const price = await monthly(2_000);
    const session = await stripe.checkout.sessions.create({
      ...URLS,
      mode: 'subscription',
      line_items: [{ price: price.id, quantity: 1 }],
      subscription_data: { metadata: { order: 'o2' }, trial_period_days: 7 },
    });
    expect((await submit(session.url ?? '', { do: 'pay', card: 'pm_card_visa' })).status).toBe(400);
    await submit(session.url ?? '', { do: 'pay', card: 'pm_card_visa', email: 'new@example.com' });
    const done = await stripe.checkout.sessions.retrieve(session.id, { expand: ['customer', 'subscription'] });
    expect(done).toMatchObject({
      customer: { email: 'new@example.com' },
      customer_details: { email: 'new@example.com' },
      subscription: { status: 'trialing', metadata: { order: 'o2' } },
    });
  });

  it('expires after a day', async () => {
    const session = await topUp();
    clock.advance({ hours: 25 });
    processor.passTime();
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('expired');
    expect(types()).toContain('checkout.session.expired');
  });
});

describe('subscriptions', () => {
  it('renews subscriptions with their period and marks those whose card fails past due', async () => {
    const good = await subscribed(2_000);
    const bad = await subscribed(2_000, { card: 'pm_card_chargeCustomerFail', trialDays: 20 });
    clock.advance({ days: 32 });
    processor.passTime();
    const renewed = await stripe.subscriptions.retrieve(good.id);
    expect(renewed.status).toBe('active');
    expect(renewed.items.data[0]?.current_period_start).toBe(good.items.data[0]?.current_period_end);
    expect((await stripe.subscriptions.retrieve(bad.id)).status).toBe('past_due');
    expect(types()).toEqual(expect.arrayContaining(['invoice.paid', 'invoice.payment_failed']));
  });

  it('ends a subscription with its period when cancellation was requested', async () => {
    const { id } = await subscribed(2_000);
    const scheduled = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    expect(scheduled).toMatchObject({ status: 'active', cancel_at_period_end: true });
    clock.advance({ days: 32 });
    processor.passTime();
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('canceled');
    expect(types().at(-1)).toBe('customer.subscription.deleted');
  });

  it('charges an upgrade at once and credits a downgrade on the next invoice', async () => {
    const subscription = await subscribed(3_100);
    const item = subscription.items.data[0];
    clock.advance({ days: 15.5 });
    const up = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item?.id ?? '', price: (await monthly(6_200)).id }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    });
    const invoice = await stripe.invoices.retrieve(String(up.latest_invoice));
    expect(invoice).toMatchObject({ total: 1_550, amount_paid: 1_550, billing_reason: 'subscription_update' });
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item?.id ?? '', price: (await monthly(3_100)).id }],
      proration_behavior: 'create_prorations',
    });
    clock.advance({ days: 16 });
    processor.passTime();
    const renewed = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
    expect(renewed.latest_invoice).toMatchObject({ total: 3_100 - 1_550 });
  });

  it('keeps the price when the charge due at once is declined', async () => {
    const subscription = await subscribed(1_000, { card: 'pm_card_chargeCustomerFail', trialDays: 1 });
    clock.advance({ days: 2 });
    processor.passTime();
    const price = await monthly(5_000);
    await expect(
      stripe.subscriptions.update(subscription.id, {
        items: [{ id: subscription.items.data[0]?.id ?? '', price: price.id }],
        proration_behavior: 'always_invoice',
        payment_behavior: 'error_if_incomplete',
      }),
    ).rejects.toMatchObject({ type: 'StripeCardError' });
    expect((await stripe.subscriptions.retrieve(subscription.id)).items.data[0]?.price.unit_amount).toBe(1_000);
  });
});

describe('money that goes back', () => {
  it('lists refunds, failed refunds and disputes with their payment', async () => {
    const { customer, card } = await customerWithCard();
    const payment = { amount: 1_000, currency: 'usd', customer, payment_method: card, confirm: true };
    const { id: payment_intent } = await stripe.paymentIntents.create(payment);
    const refund = await stripe.refunds.create({ payment_intent, amount: 400 });
    await expect(stripe.refunds.create({ payment_intent, amount: 700 })).rejects.toThrow('greater than');
    processor.failRefund(refund.id);
    const dispute = processor.openDispute(payment_intent);
    processor.closeDispute(dispute.id, 'won');
    expect((await stripe.refunds.list({ payment_intent })).data).toMatchObject([{ amount: 400, status: 'failed' }]);
    expect((await stripe.disputes.list({ payment_intent })).data).toMatchObject([{ amount: 1_000, status: 'won' }]);
  });
});

describe('webhooks', () => {
  let receiver: Server;
  let received: { header: string; body: string }[];
  let status: number;
  let url: string;

  beforeEach(async () => {
    received = [];
    status = 200;
    receiver = createServer(async (req, res) => {
      let body = '';
      for await (const chunk of req) body += chunk;
      received.push({ header: String(req.headers['stripe-signature']), body });
      res.writeHead(status).end();
    });
    url = `http://127.0.0.1:${await listenOnLoopback(receiver, 0)}/webhooks`;
  });
  afterEach(() => closeServer(receiver));

  it('signs webhook events so that the library accepts them', async () => {
    processor.webhooks.sendTo({ url, secret: SECRET });
    await stripe.customers.create({});
    await processor.webhooks.idle();
    const [{ header, body } = { header: '', body: '' }] = received;
    expect(stripe.webhooks.constructEvent(body, header, SECRET).type).toBe('customer.created');
    expect(() => stripe.webhooks.constructEvent(`${body} `, header, SECRET)).toThrow();
  });

  it('retries a webhook event until the endpoint accepts it', async () => {
    status = 500;
    processor.webhooks.sendTo({ url, secret: SECRET });
    await stripe.customers.create({});
    await waitUntil(() => received.length >= 2, { what: 'a second attempt' });
    status = 200;
    await processor.webhooks.idle();
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });

  it('holds webhook events until the test delivers them, in any order and more than once', async () => {
    processor.webhooks.sendTo({ url, secret: SECRET });
    processor.webhooks.hold();
    await stripe.customers.create({ email: 'first@example.com' });
    await stripe.customers.create({ email: 'second@example.com' });
    const [first, second] = processor.webhooks.waiting();
    if (!first || !second) throw new Error('two events should wait');
    for (const event of [second, second, first]) await processor.webhooks.deliver(event);
    expect(received.map(({ body }) => JSON.parse(body).data.object.email)).toEqual([
      'second@example.com',
      'second@example.com',
      'first@example.com',
    ]);
  });
});

describe('a restart', () => {
  it('restores everything that clients have seen, including stored answers and waiting events', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-processor-'));
    try {
      await processor.stop();
      await start({ file: join(folder, 'processor.ndjson') });
      const subscription = await subscribed(2_000);
      const session = await stripe.checkout.sessions.create({ ...URLS, mode: 'setup', currency: 'usd' });
      const made = await stripe.customers.create({}, { idempotencyKey: 'kept' });
      const waiting = processor.webhooks.waiting().length;
      await processor.stop();
      await start({ file: join(folder, 'processor.ndjson') });
      expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
      expect((await stripe.customers.create({}, { idempotencyKey: 'kept' })).id).toBe(made.id);
      expect(processor.webhooks.waiting()).toHaveLength(waiting);
      const { url } = await stripe.checkout.sessions.retrieve(session.id);
      expect(url?.startsWith(processor.baseUrl)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
