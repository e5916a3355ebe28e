import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Stripe from 'stripe';
import { type ControllableClock, controllableClock } from '../controllable-clock.js';
import { type PaymentProcessor, startPaymentProcessor } from './start-payment-processor.js';

// Checks the undoing of purchases with the processor's own client library.

let clock: ControllableClock;
let processor: PaymentProcessor;
let stripe: Stripe;

beforeEach(async () => {
  clock = controllableClock();
  processor = await startPaymentProcessor({ clock, tickMs: 0 });
  const { hostname, port } = new URL(processor.baseUrl);
  stripe = new Stripe('sk_test_double', { host: hostname, port, protocol: 'http', telemetry: false });
});
afterEach(() => processor.stop());

async function checkout(customer: string, trialDays?: number): Promise<Stripe.Checkout.Session> {
  const recurring = { interval: 'month' as const };
  const product_data = { name: 'x' };
  const price = await stripe.prices.create({ currency: 'usd', unit_amount: 1_000, recurring, product_data });
  return stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'https://shop.example/ok',
    ...(trialDays !== undefined && { subscription_data: { trial_period_days: trialDays } }),
  });
}

const payer = async () => (await stripe.customers.create({ email: 'payer@example.com' })).id;

describe('checkout sessions', () => {
  it('lists those of a customer, by status', async () => {
    const [customer, other] = [await payer(), await payer()];
    const [open, paid] = [await checkout(customer), await checkout(customer)];
    await checkout(other);
    processor.pay(paid.id);
    const list = async (status?: 'open' | 'complete') =>
      (await stripe.checkout.sessions.list({ customer, ...(status && { status }) })).data.map(({ id }) => id);
    expect(await list()).toEqual([paid.id, open.id]);
    expect(await list('open')).toEqual([open.id]);
    expect(await list('complete')).toEqual([paid.id]);
  });

  it('expires an open one, and refuses to expire it again', async () => {
    const { id } = await checkout(await payer());
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
    await expect(stripe.checkout.sessions.expire(id)).rejects.toMatchObject({ type: 'StripeInvalidRequestError' });
    expect(() => processor.pay(id)).toThrow('expired');
  });
});

describe('the payments of a subscription', () => {
  it('finds the refundable payment of a subscription through its invoices', async () => {
    const customer = await payer();
    const { subscription } = processor.pay((await checkout(customer)).id);
    const invoices = await stripe.invoices.list({ subscription: subscription ?? '' });
    expect(invoices.data).toMatchObject([{ amount_paid: 1_000 }]);
    const paid = await stripe.invoicePayments.list({ invoice: invoices.data[0]?.id ?? '', status: 'paid' });
    expect(paid.data).toMatchObject([{ amount_paid: 1_000, payment: { type: 'payment_intent' } }]);
    const payment_intent = String(paid.data[0]?.payment.payment_intent);
    expect(await stripe.refunds.create({ payment_intent })).toMatchObject({ amount: 1_000, status: 'succeeded' });
  });

  it('lists none during a trial, whose end at once charges the first period', async () => {
    const { subscription } = processor.pay((await checkout(await payer(), 14)).id);
    const id = subscription ?? '';
    const payments = async () => {
      const invoices = (await stripe.invoices.list({ subscription: id })).data;
      const lists = await Promise.all(invoices.map((invoice) => stripe.invoicePayments.list({ invoice: invoice.id })));
      return lists.flatMap(({ data }) => data.map(({ amount_paid }) => amount_paid));
    };
    expect(await payments()).toEqual([]);
    const ended = await stripe.subscriptions.update(id, { trial_end: 'now' });
    expect(ended).toMatchObject({ status: 'active', trial_end: Math.floor(clock.nowMs() / 1_000) });
    expect(await payments()).toEqual([1_000]);
  });
});

describe('a refund', () => {
  const payment = async () => {
    const customer = await payer();
    const wish = { amount: 1_000, currency: 'usd', customer, payment_method: 'pm_card_visa', confirm: true };
    return (await stripe.paymentIntents.create(wish)).id;
  };

  it('rejects a refund with charge_already_refunded after a full refund', async () => {
    const payment_intent = await payment();
    await stripe.refunds.create({ payment_intent });
    await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({ code: 'charge_already_refunded' });
  });

  it('rejects a refund while the payment is disputed and accepts it once the dispute is won', async () => {
    const payment_intent = await payment();
    const dispute = processor.openDispute(payment_intent);
    await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({ code: 'charge_disputed' });
    processor.closeDispute(dispute.id, 'won');
    expect(await stripe.refunds.create({ payment_intent })).toMatchObject({ amount: 1_000 });
  });
});
