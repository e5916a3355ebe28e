import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import { undoOrder } from '../../store/payments/undone-orders.js';
import { admit, callAs, ECHO, fundOwner, fundWallet, ownerPrincipal, settle } from '../../testing/ledger-harness.js';
import { buy, findSubscription, makeCustomer, makeTier, URLS } from '../../testing/payments-harness.js';
import { usePayments } from '../../testing/use-payments.js';
import { readOrderId } from '../payments/orders/order-metadata.js';

const harness = usePayments('delete_customer');

const CENT = 1_000_000n;
const CREATE_SESSION = /POST \/v1\/checkout\/sessions$/;

interface Shop {
  owner: Principal;
  id: string;
}

/** Creates a customer on a pay-as-you-go tier, in a project that also sells `pro`. */
async function shop(tierCode = 'paygo'): Promise<Shop> {
  const owner = ownerPrincipal();
  await makeTier(harness, owner, { tierCode: 'free', isDefault: true });
  await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await makeTier(harness, owner, { tierCode: 'pro', priceCents: 2_000 });
  return { owner, id: await makeCustomer(harness, owner, tierCode) };
}

const remove = ({ owner, id }: Shop, values: { cancelSubscription?: boolean } = {}) =>
  harness.billing.deleteCustomer({ id, ...values }, callAs(owner));

async function openTopUp({ owner, id }: Shop, cents = 1_500n): Promise<string> {
  const req = { customerId: id, creditAmountCents: cents, ...URLS };
  return (await harness.payments.createWalletTopUp(req, callAs(owner))).topUp?.sessionId ?? '';
}

async function openCheckout({ owner, id }: Shop): Promise<string> {
  const tier = { case: 'tierCode' as const, value: 'pro' };
  return (await harness.payments.createCheckout({ customerId: id, tier, ...URLS }, callAs(owner))).sessionId;
}

const sessionStatus = (id: string) => harness.processor.store.get('checkout.session', id)?.status;
const until = (what: string, isSo: () => boolean | Promise<boolean>) => waitUntil(isSo, { what });

const listRefunds = (payment: string | null) =>
  harness.processor.store.all('refund').filter((refund) => refund.payment_intent === payment);

/** Returns what the request cost the customer. */
async function useTokens({ owner, id }: Shop): Promise<bigint> {
  await fundOwner(harness.billing, owner, 10_000n * CENT);
  const principal = ownerPrincipal({ ...owner, kind: 3, keyId: '', customerId: id, tierCode: 'paygo' });
  const { holdId } = await admit(harness.billing, principal);
  return (await settle(harness.billing, principal, holdId, 10n, 10n)).customerMicrocents;
}

/** The journal uses the database's clock, not the test's. */
const EVER = { from: timestampFromMs(0), to: timestampFromMs(Date.UTC(9_000, 0)) };
const readUsage = ({ owner }: Shop) => harness.billing.getAccountUsage(EVER, callAs(owner));
const forfeited = async (customer: Shop) => (await readUsage(customer)).forfeitedMicrocents;
const writtenOff = async (customer: Shop) => (await readUsage(customer)).writtenOffMicrocents;

async function wallet({ id }: Shop): Promise<{ balance: bigint; held: bigint }> {
  const { rows } = await harness.ledger.database.pool.query<{ balance: bigint; held: bigint }>(
    `SELECT credits - debits AS balance, held FROM accounts WHERE kind = 'wallet' AND ref_id = $1`,
    [id],
  );
  return rows[0] ?? { balance: 0n, held: 0n };
}

const refundEvents = ({ owner }: Shop) => harness.ledger.events(eventTypes.paymentRefunded, owner.projectId);

async function expectConsistent({ owner }: Shop): Promise<void> {
  expect((await harness.billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);
}

/** Waits until all purchases of the customer are undone. */
async function untilUndone({ id }: Shop): Promise<void> {
  await until('the purchases to be undone', async () => {
    const { rows } = await harness.ledger.database.pool.query(
      'SELECT 1 FROM payment_orders WHERE customer_id = $1 AND undo_at IS NOT NULL',
      [id],
    );
    return rows.length === 0;
  });
}

describe('open checkouts of a deleted customer', () => {
  it('expires open checkouts at the processor, so that they cannot be paid anymore', async () => {
    const customer = await shop();
    const pages = [await openTopUp(customer), await openCheckout(customer)];
    await remove(customer);
    await until('expired pages', () => pages.every((id) => sessionStatus(id) === 'expired'));
    for (const page of pages) expect(() => harness.processor.pay(page)).toThrow('expired');
    await expectConsistent(customer);
  });

  it('expires an open checkout even if the processor was unreachable during the deletion', async () => {
    const customer = await shop();
    const page = await openTopUp(customer);
    harness.processor.faults.cut(/POST .*\/expire$/, 'before', 2);
    await remove(customer);
    await until('an expired page', () => {
      harness.clock.advance({ minutes: 1 });
      return sessionStatus(page) === 'expired';
    });
    await untilUndone(customer);
  });

  it('expires an open checkout even if the response that named its session was lost', async () => {
    const customer = await shop();
    harness.processor.faults.cut(CREATE_SESSION, 'after', 2);
    await expect(openTopUp(customer)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const page = harness.processor.store.all('checkout.session').at(-1)?.id ?? '';
    await remove(customer);
    harness.clock.advance({ minutes: 5 });
    await until('an expired page', () => sessionStatus(page) === 'expired');
  });

  it('rejects a checkout with NOT_FOUND and expires it when the customer is deleted while it opens', async () => {
    const customer = await shop();
    const answer = harness.processor.faults.pause(CREATE_SESSION);
    const opening = openTopUp(customer);
    opening.catch(() => undefined);
    await answer.reached;
    const page = harness.processor.store.all('checkout.session').at(-1)?.id ?? '';
    await remove(customer);
    answer.release();
    await expect(opening).rejects.toMatchObject({ code: 'NOT_FOUND' });
    harness.clock.advance({ minutes: 5 });
    await until('an expired page', () => sessionStatus(page) === 'expired');
  });
});

describe('a payment that arrives after its customer was deleted', () => {
  it('refunds the payment once with one event, for any number and order of webhook events', async () => {
    const customer = await shop();
    const page = await openTopUp(customer);
    harness.processor.webhooks.hold();
    const { payment_intent: payment } = harness.processor.pay(page);
    await remove(customer);
    const other = await harness.replica();
    const events = harness.processor.webhooks.waiting();
    await Promise.all(
      [...events, ...events].map((event, i) => harness.notify(event, i % 2 ? other.payments : undefined)),
    );
    await until('the refund', () => listRefunds(payment).length > 0);
    await untilUndone(customer);
    harness.processor.webhooks.release();
    await harness.settled();
    expect(listRefunds(payment)).toMatchObject([{ amount: 1_500, status: 'succeeded' }]);
    expect(await refundEvents(customer)).toMatchObject([
      { customerId: customer.id, purchase: 'wallet_topup', amountCents: 1_500n, currency: 'usd' },
    ]);
    expect(await wallet(customer)).toMatchObject({ balance: 0n });
    expect(await forfeited(customer)).toBe(0n);
    await expectConsistent(customer);
  });

  it('refunds the payment once even if the response to the refund was lost', async () => {
    const customer = await shop();
    const page = await openTopUp(customer);
    harness.processor.webhooks.hold();
    const { payment_intent: payment } = harness.processor.pay(page);
    harness.processor.faults.cut(/POST \/v1\/refunds$/, 'after', 2);
    await remove(customer);
    await until('the first attempt', () => listRefunds(payment).length > 0);
    harness.clock.advance({ days: 2 });
    await untilUndone(customer);
    expect(listRefunds(payment)).toHaveLength(1);
    expect(await refundEvents(customer)).toHaveLength(1);
    await expectConsistent(customer);
  });

  it('refunds the payment even if the page had already expired', async () => {
    const customer = await shop();
    const page = await openTopUp(customer);
    await remove(customer);
    await untilUndone(customer);
    // Simulates an asynchronous payment method: accepted on the page, paid later.
    const { metadata } = harness.processor.store.get('checkout.session', page) ?? {};
    const payer = harness.processor.store.get('checkout.session', page)?.customer ?? '';
    const payment = await harness.stripe.paymentIntents.create({
      amount: 1_500,
      currency: 'usd',
      customer: payer,
      payment_method: 'pm_card_visa',
      confirm: true,
      off_session: true,
      metadata: { ...metadata },
    });
    await harness.settled();
    await until('the refund', () => listRefunds(payment.id).length === 1);
    await untilUndone(customer);
    expect(await refundEvents(customer)).toHaveLength(1);
    expect(await wallet(customer)).toMatchObject({ balance: 0n });
  });

  it('refunds a payment for a tier and cancels its subscription', async () => {
    const customer = await shop('free');
    const page = await openCheckout(customer);
    harness.processor.webhooks.hold();
    const { subscription = '' } = harness.processor.pay(page);
    await remove(customer);
    harness.processor.webhooks.release();
    await harness.settled();
    await until(
      'the end',
      () => harness.processor.store.get('subscription', subscription ?? '')?.status === 'canceled',
    );
    await untilUndone(customer);
    expect(harness.processor.store.all('refund').at(-1)).toMatchObject({ amount: 2_000, status: 'succeeded' });
    expect(await refundEvents(customer)).toMatchObject([{ purchase: 'subscription', amountCents: 2_000n }]);
    const { customers } = await harness.billing.listCustomers({}, callAs(customer.owner));
    expect(customers).toEqual([]);
  });

  it('reports the refund once even if the purchase is undone again', async () => {
    const customer = await shop('free');
    const page = await openCheckout(customer);
    harness.processor.webhooks.hold();
    const { subscription } = harness.processor.pay(page);
    await remove(customer);
    await untilUndone(customer);
    // Two replicas that see the subscription for the first time at once make the purchase due again.
    const orderId = readOrderId(harness.processor.store.get('subscription', subscription ?? '')?.metadata);
    await undoOrder(harness.ledger.database.pool, orderId ?? '', harness.clock.now());
    harness.clock.advance({ minutes: 1 });
    await untilUndone(customer);
    expect(await refundEvents(customer)).toMatchObject([{ purchase: 'subscription', amountCents: 2_000n }]);
  });

  it('forfeits or refunds each payment when payment and deletion race', async () => {
    const customers = await Promise.all(Array.from({ length: 12 }, () => shop()));
    const pages = await Promise.all(customers.map((customer) => openTopUp(customer)));
    harness.processor.webhooks.hold();
    const payments = pages.map((page) => harness.processor.pay(page).payment_intent);
    const events = harness.processor.webhooks.waiting();
    await Promise.all([
      ...events.map((event) => harness.notify(event)),
      ...customers.map((customer) => remove(customer)),
    ]);
    for (const [i, customer] of customers.entries()) {
      await untilUndone(customer);
      const backCents = listRefunds(payments[i] ?? '').reduce((sum, { amount }) => sum + amount, 0);
      expect((await forfeited(customer)) / CENT + BigInt(backCents)).toBe(1_500n);
      expect(await wallet(customer)).toMatchObject({ balance: 0n });
      await expectConsistent(customer);
    }
  });
});

describe('the wallet of a deleted customer', () => {
  it('forfeits the balance and shows it in the account usage of the owner only', async () => {
    const customer = await shop();
    harness.processor.pay(await openTopUp(customer));
    await harness.settled();
    await remove(customer);
    expect(await forfeited(customer)).toBe(1_500n * CENT);
    expect(await wallet(customer)).toMatchObject({ balance: 0n });
    expect(await forfeited(await shop())).toBe(0n);
    await expectConsistent(customer);
  });

  it('forfeits only paid money and returns promotional credit', async () => {
    const owner = ownerPrincipal();
    await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo', promoCreditsCents: 300n });
    const customer = { owner, id: await makeCustomer(harness, owner, 'paygo') };
    harness.processor.pay(await openTopUp(customer, 700n));
    await harness.settled();
    await remove(customer);
    expect(await forfeited(customer)).toBe(700n * CENT);
    expect(await wallet(customer)).toMatchObject({ balance: 0n });
    await expectConsistent(customer);
  });

  it('forfeits what is left after open requests have settled', async () => {
    const customer = await shop();
    const { owner, id } = customer;
    await fundOwner(harness.billing, owner, 10_000n * CENT);
    await fundWallet(harness.billing, owner, id, 1_000n * CENT);
    const holdId = crypto.randomUUID();
    const principal = ownerPrincipal({ ...owner, kind: 3, keyId: '', customerId: id, tierCode: 'paygo' });
    const { decision } = await harness.billing.admit(
      { holdId, kind: 1, model: ECHO, inputTokensEstimate: 1_000n, maxOutputTokens: 1_000 },
      callAs(principal),
    );
    expect(decision.case).toBe('admitted');
    const { held } = await wallet(customer);
    await remove(customer);
    expect(await forfeited(customer)).toBe(1_000n * CENT - held);
    const { customerMicrocents } = await harness.billing.settle(
      { holdId, usage: { inputTokens: 1_000n, outputTokens: 10n } },
      callAs(principal),
    );
    harness.clock.advance({ minutes: 5 });
    await harness.replica();
    await until('an empty wallet', async () => (await wallet(customer)).balance === 0n);
    expect(await forfeited(customer)).toBe(1_000n * CENT - customerMicrocents);
    await expectConsistent(customer);
  });

  it('shows a later chargeback of used money as written off, until it is won', async () => {
    const customer = await shop();
    const { payment_intent } = harness.processor.pay(await openTopUp(customer));
    await harness.settled();
    const used = await useTokens(customer);
    await remove(customer);
    const dispute = harness.processor.openDispute(payment_intent ?? '');
    await harness.settled();
    expect([await forfeited(customer), await writtenOff(customer)]).toEqual([0n, used]);
    expect(await wallet(customer)).toMatchObject({ balance: 0n });
    harness.processor.closeDispute(dispute.id, 'won');
    await harness.settled();
    expect([await forfeited(customer), await writtenOff(customer)]).toEqual([1_500n * CENT - used, 0n]);
    expect(await wallet(customer)).toMatchObject({ balance: 0n });
    await expectConsistent(customer);
  });

  it('takes a later refund from the forfeited sum', async () => {
    const customer = await shop();
    const { payment_intent = '' } = harness.processor.pay(await openTopUp(customer));
    await harness.settled();
    await remove(customer);
    await harness.stripe.refunds.create({ payment_intent: payment_intent ?? '', amount: 400 });
    await harness.settled();
    expect(await forfeited(customer)).toBe(1_100n * CENT);
    expect(await wallet(customer)).toMatchObject({ balance: 0n });
    await expectConsistent(customer);
  });
});

describe('a running subscription', () => {
  it('continues at the processor after the deletion, and keeps its tier', async () => {
    const customer = await shop('free');
    const subscription = await buy(harness, customer.owner, customer.id, 'pro');
    await remove(customer);
    harness.processor.setSubscriptionStatus(subscription, 'past_due');
    await harness.settled();
    expect(harness.processor.store.get('subscription', subscription)?.status).toBe('past_due');
    const { tier } = await harness.billing.getTier({ by: { case: 'tierCode', value: 'pro' } }, callAs(customer.owner));
    const removeTier = () => harness.billing.deleteTier({ id: tier?.id ?? '' }, callAs(customer.owner));
    await expect(removeTier()).rejects.toMatchObject({ code: 'CONFLICT' });
    harness.processor.setSubscriptionStatus(subscription, 'canceled');
    await harness.settled();
    await removeTier();
  });

  it('cancels the subscription with cancel_subscription, even if the processor was unreachable at first', async () => {
    const customer = await shop('free');
    const subscription = await buy(harness, customer.owner, customer.id, 'pro');
    harness.processor.faults.cut(/DELETE \/v1\/subscriptions/, 'before', 2);
    await remove(customer, { cancelSubscription: true });
    // A webhook event in between must not postpone the cancellation to the end of the period.
    harness.processor.setSubscriptionStatus(subscription, 'past_due');
    await harness.settled();
    const status = () => harness.processor.store.get('subscription', subscription)?.status;
    await until('a canceled subscription', () => {
      harness.clock.advance({ minutes: 1 });
      return status() === 'canceled';
    });
    expect(await findSubscription(harness, customer.owner, customer.id).catch(() => undefined)).toBeUndefined();
  });
});
