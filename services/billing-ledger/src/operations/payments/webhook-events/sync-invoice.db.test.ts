import { describe, expect, it } from '@jest/globals';
import type { Payment } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { callAs } from '../../../testing/ledger-harness.js';
import { buy, makeCustomer, URLS } from '../../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('sync_invoice');
const { project, changeTier } = subscriptionActions(harness);

const list = async (owner: Principal, customerId: string) =>
  harness.payments.listProjectPayments({ limit: 100, customerId, includeTotals: true }, callAs(owner));
/** Oldest first, such as `renewal completed 2000`. */
const rows = (payments: readonly Payment[]) =>
  payments.map(({ kind, status, amountCents }) => `${kind} ${status} ${amountCents}`).reverse();
const readRows = async (owner: Principal, customerId: string) => rows((await list(owner, customerId)).payments);
const succeeded = (owner: Principal) => harness.ledger.events(eventTypes.paymentSucceeded, owner.projectId);
const failed = (owner: Principal) => harness.ledger.events(eventTypes.paymentFailed, owner.projectId);
const refunds = (owner: Principal) => harness.ledger.events(eventTypes.paymentRefunded, owner.projectId);

async function subscriber() {
  const owner = await project();
  const id = await makeCustomer(harness, owner, 'free');
  const subscription = await buy(harness, owner, id, 'pro');
  // The processor's times are whole seconds: what follows is in another one.
  await harness.pass({ minutes: 1 });
  return { owner, id, subscription };
}

/** The payment of the subscription's last invoice. */
async function lastPayment(subscription: string): Promise<string> {
  const { latest_invoice: invoice } = await harness.stripe.subscriptions.retrieve(subscription);
  const { data } = await harness.stripe.invoicePayments.list({ invoice: invoice as string });
  return data[0]?.payment.payment_intent as string;
}

/** Delivers the events of a subscription's payer again, the newest first. */
async function repeatEvents(subscription: string): Promise<void> {
  const payer = (await harness.stripe.subscriptions.retrieve(subscription)).customer as string;
  const events = harness.processor.webhooks.all().filter((event) => JSON.stringify(event).includes(payer));
  for (const event of events.reverse()) await harness.notify(event);
}

describe('the payments of a subscription', () => {
  it('lists the first payment, renewals and a change of the tier with amounts, periods and links', async () => {
    const { owner, id } = await subscriber();
    await harness.pass({ days: 32 });
    await harness.pass({ days: 32 });
    await harness.pass({ minutes: 1 });
    await changeTier(owner, id, 'max');
    await harness.settled();
    const { payments, totals } = await list(owner, id);
    expect(rows(payments).slice(0, 3)).toEqual([
      'subscription completed 2000',
      'renewal completed 2000',
      'renewal completed 2000',
    ]);
    const change = payments[0];
    expect(change).toMatchObject({ kind: 'tier_change', status: 'completed', currency: 'usd', taxCents: 0n });
    for (const payment of payments) {
      expect(payment.periodEnd!.seconds).toBeGreaterThan(payment.periodStart!.seconds);
      expect([payment.invoiceUrl, payment.receiptUrl].map((url) => URL.canParse(url))).toEqual([true, true]);
    }
    expect(totals).toMatchObject([{ currency: 'usd', receivedCents: 6_000n + change!.amountCents!, count: 4n }]);
    expect((await succeeded(owner)).map(({ kind, amountCents }) => `${kind} ${amountCents}`)).toHaveLength(4);
  });

  it('records nothing twice when all events arrive again, in the opposite order', async () => {
    const { owner, id, subscription } = await subscriber();
    await harness.stripe.refunds.create({ payment_intent: await lastPayment(subscription), amount: 500 });
    await harness.pass({ days: 32 });
    const before = await readRows(owner, id);
    const events = [await succeeded(owner), await refunds(owner)].map(({ length }) => length);
    await repeatEvents(subscription);
    expect(await readRows(owner, id)).toEqual(before);
    expect([await succeeded(owner), await refunds(owner)].map(({ length }) => length)).toEqual(events);
  });

  it('lists failed attempts, which become the payment once another card pays', async () => {
    const { owner, id, subscription } = await subscriber();
    await harness.stripe.subscriptions.update(subscription, { default_payment_method: 'pm_card_chargeCustomerFail' });
    await harness.pass({ days: 32 });
    expect(await readRows(owner, id)).toEqual(['subscription completed 2000', 'renewal failed 2000']);
    const [attempt] = await failed(owner);
    expect(attempt).toMatchObject({ purchase: 'renewal', amountCents: 2_000n, reason: 'Your card was declined.' });
    expect(URL.canParse(attempt!.invoiceUrl)).toBe(true);
    await repeatEvents(subscription);
    expect(await failed(owner)).toHaveLength(1);
    const page = { customerId: id, returnUrl: URLS.successUrl };
    const { url } = await harness.payments.createBillingPortal(page, callAs(owner));
    await fetch(url, { method: 'POST', body: new URLSearchParams({ do: 'card', card: 'pm_card_visa' }) });
    await harness.settled();
    const { payments } = await list(owner, id);
    expect(rows(payments)).toEqual(['subscription completed 2000', 'renewal completed 2000']);
    expect(payments[0]).toMatchObject({ id: attempt!.orderId, failure: '' });
    expect((await succeeded(owner)).map(({ kind }) => kind)).toEqual(['subscription', 'renewal']);
  });

  it('continues a failed attempt of a purchase as its payment', async () => {
    const { store, webhooks, pay } = harness.processor;
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const tier = { case: 'tierCode' as const, value: 'pro' };
    const { sessionId } = await harness.payments.createCheckout({ customerId: id, tier, ...URLS }, callAs(owner));
    webhooks.hold();
    pay(sessionId);
    const paid = store.all('invoice').at(-1)!;
    store.put({ ...paid, status: 'open', attempt_count: 1, amount_paid: 0 });
    await harness.notify(webhooks.waiting().find(({ type }) => type === 'invoice.paid')!);
    expect(await readRows(owner, id)).toContain('subscription failed 2000');
    store.put(paid);
    webhooks.release();
    await harness.settled();
    expect(await readRows(owner, id)).toEqual(['subscription completed 2000']);
    expect([await failed(owner), await succeeded(owner)].map(({ length }) => length)).toEqual([1, 1]);
  });

  it('records the payment of a checkout without a customer, with its events in either order', async () => {
    const owner = await project();
    const tier = { case: 'tierCode' as const, value: 'pro' };
    const { sessionId } = await harness.payments.createCheckout({ tier, ...URLS }, callAs(owner));
    harness.processor.webhooks.hold();
    harness.processor.pay(sessionId);
    for (const event of harness.processor.webhooks.waiting().reverse()) await harness.notify(event);
    const { payments } = await harness.payments.listProjectPayments({ limit: 10 }, callAs(owner));
    expect(rows(payments)).toEqual(['subscription completed 2000']);
  });
});
