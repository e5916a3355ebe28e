import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ECHO, fundOwner, fundWallet, ownerPrincipal } from '../../testing/ledger-harness.js';
import {
  buy,
  makeCustomer,
  makeTier,
  type PaymentsBench,
  startPaymentsBench,
  subscriptionOf,
  URLS,
} from '../../testing/payments-harness.js';

let bench: PaymentsBench;
beforeAll(async () => {
  bench = await startPaymentsBench('delete_customer');
});
afterEach(() => bench.processor.notices.release());
afterAll(() => bench.stop());

const CENT = 1_000_000n;
const CREATE_SESSION = /POST \/v1\/checkout\/sessions$/;

interface Shop {
  owner: Principal;
  id: string;
}

/** A customer of a pay-as-you-go tier, in a project that sells `pro` too. */
async function shop(tierCode = 'paygo'): Promise<Shop> {
  const owner = ownerPrincipal();
  await makeTier(bench, owner, { tierCode: 'free', isDefault: true });
  await makeTier(bench, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await makeTier(bench, owner, { tierCode: 'pro', priceCents: 2_000 });
  return { owner, id: await makeCustomer(bench, owner, tierCode) };
}

const remove = ({ owner, id }: Shop, values: { cancelSubscription?: boolean } = {}) =>
  bench.billing.deleteCustomer({ id, ...values }, callAs(owner));

async function openTopUp({ owner, id }: Shop, cents = 1_500n): Promise<string> {
  const req = { customerId: id, creditAmountCents: cents, ...URLS };
  return (await bench.payments.createWalletTopUp(req, callAs(owner))).topUp?.sessionId ?? '';
}

async function openCheckout({ owner, id }: Shop): Promise<string> {
  const tier = { case: 'tierCode' as const, value: 'pro' };
  return (await bench.payments.createCheckout({ customerId: id, tier, ...URLS }, callAs(owner))).sessionId;
}

const sessionStatus = (id: string) => bench.processor.store.get('checkout.session', id)?.status;
const until = (what: string, isSo: () => boolean | Promise<boolean>) => waitUntil(isSo, { what, timeoutMs: 20_000 });

const refundsOf = (payment: string | null) =>
  bench.processor.store.all('refund').filter((refund) => refund.payment_intent === payment);

async function forfeited({ owner }: Shop): Promise<bigint> {
  // The journal uses the clock of the database, not of the test.
  const range = { from: timestampFromMs(0), to: timestampFromMs(Date.UTC(9_000, 0)) };
  return (await bench.billing.getAccountUsage(range, callAs(owner))).forfeitedMicrocents;
}

async function wallet({ id }: Shop): Promise<{ balance: bigint; held: bigint }> {
  const { rows } = await bench.ledger.database.pool.query<{ balance: bigint; held: bigint }>(
    `SELECT credits - debits AS balance, held FROM accounts WHERE kind = 'wallet' AND ref_id = $1`,
    [id],
  );
  return rows[0] ?? { balance: 0n, held: 0n };
}

const refundEvents = ({ owner }: Shop) => bench.ledger.events(eventTypes.paymentRefunded, owner.projectId);

async function expectConsistent({ owner }: Shop): Promise<void> {
  expect((await bench.billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);
}

/** Waits until all purchases of the customer are undone. */
async function untilUndone({ id }: Shop): Promise<void> {
  await until('the purchases to be undone', async () => {
    const { rows } = await bench.ledger.database.pool.query(
      'SELECT 1 FROM payment_orders WHERE customer_id = $1 AND undo_at IS NOT NULL',
      [id],
    );
    return rows.length === 0;
  });
}

describe('open checkouts of a deleted customer', () => {
  it('expire at the processor and cannot be paid anymore', async () => {
    const customer = await shop();
    const pages = [await openTopUp(customer), await openCheckout(customer)];
    await remove(customer);
    await until('expired pages', () => pages.every((id) => sessionStatus(id) === 'expired'));
    for (const page of pages) expect(() => bench.processor.pay(page)).toThrow('expired');
    await expectConsistent(customer);
  });

  it('expire even if the processor was unreachable during the deletion', async () => {
    const customer = await shop();
    const page = await openTopUp(customer);
    bench.processor.faults.cut(/POST .*\/expire$/, 'before', 2);
    await remove(customer);
    await until('an expired page', () => {
      bench.clock.advance({ minutes: 1 });
      return sessionStatus(page) === 'expired';
    });
    await untilUndone(customer);
  });

  it('expire even if the response that named the session was lost', async () => {
    const customer = await shop();
    bench.processor.faults.cut(CREATE_SESSION, 'after', 2);
    await expect(openTopUp(customer)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const page = bench.processor.store.all('checkout.session').at(-1)?.id ?? '';
    await remove(customer);
    bench.clock.advance({ minutes: 5 });
    await until('an expired page', () => sessionStatus(page) === 'expired');
  });

  it('are not returned when the customer is deleted while they are being opened', async () => {
    const customer = await shop();
    const answer = bench.processor.faults.pause(CREATE_SESSION);
    const opening = openTopUp(customer);
    opening.catch(() => undefined);
    await answer.reached;
    const page = bench.processor.store.all('checkout.session').at(-1)?.id ?? '';
    await remove(customer);
    answer.release();
    await expect(opening).rejects.toMatchObject({ code: 'NOT_FOUND' });
    bench.clock.advance({ minutes: 5 });
    await until('an expired page', () => sessionStatus(page) === 'expired');
  });
});

describe('a payment that arrives after its customer was deleted', () => {
  it('is refunded once with one event, for any number and order of notices', async () => {
    const customer = await shop();
    const page = await openTopUp(customer);
    bench.processor.notices.hold();
    const { payment_intent: payment } = bench.processor.pay(page);
    await remove(customer);
    const other = await bench.replica();
    const notices = bench.processor.notices.waiting();
    await Promise.all(
      [...notices, ...notices].map((event, i) => bench.notify(event, i % 2 ? other.payments : undefined)),
    );
    await until('the refund', () => refundsOf(payment).length > 0);
    await untilUndone(customer);
    bench.processor.notices.release();
    await bench.settled();
    expect(refundsOf(payment)).toMatchObject([{ amount: 1_500, status: 'succeeded' }]);
    expect(await refundEvents(customer)).toMatchObject([
      { customerId: customer.id, purchase: 'wallet_topup', amountCents: 1_500n, currency: 'usd' },
    ]);
    expect(await wallet(customer)).toMatchObject({ balance: 0n });
    expect(await forfeited(customer)).toBe(0n);
    await expectConsistent(customer);
  });

  it('is refunded once even if the response to the refund was lost', async () => {
    const customer = await shop();
    const page = await openTopUp(customer);
    bench.processor.notices.hold();
    const { payment_intent: payment } = bench.processor.pay(page);
    bench.processor.faults.cut(/POST \/v1\/refunds$/, 'after', 2);
    await remove(customer);
    await until('the first attempt', () => refundsOf(payment).length > 0);
    bench.clock.advance({ days: 2 });
    await untilUndone(customer);
    expect(refundsOf(payment)).toHaveLength(1);
    expect(await refundEvents(customer)).toHaveLength(1);
    await expectConsistent(customer);
  });

  it('is refunded even if the page had already expired', async () => {
    const customer = await shop();
    const page = await openTopUp(customer);
    await remove(customer);
    await untilUndone(customer);
    // Stands for an asynchronous payment method: accepted on the page, paid later.
    const { metadata } = bench.processor.store.get('checkout.session', page) ?? {};
    const payer = bench.processor.store.get('checkout.session', page)?.customer ?? '';
    const payment = await bench.stripe.paymentIntents.create({
      amount: 1_500,
      currency: 'usd',
      customer: payer,
      payment_method: 'pm_card_visa',
      confirm: true,
      off_session: true,
      metadata: { ...metadata },
    });
    await bench.settled();
    await until('the refund', () => refundsOf(payment.id).length === 1);
    await untilUndone(customer);
    expect(await refundEvents(customer)).toHaveLength(1);
    expect(await wallet(customer)).toMatchObject({ balance: 0n });
  });

  it('for a tier is refunded and its subscription canceled', async () => {
    const customer = await shop('free');
    const page = await openCheckout(customer);
    bench.processor.notices.hold();
    const { subscription = '' } = bench.processor.pay(page);
    await remove(customer);
    bench.processor.notices.release();
    await bench.settled();
    await until('the end', () => bench.processor.store.get('subscription', subscription ?? '')?.status === 'canceled');
    await untilUndone(customer);
    expect(bench.processor.store.all('refund').at(-1)).toMatchObject({ amount: 2_000, status: 'succeeded' });
    expect(await refundEvents(customer)).toMatchObject([{ purchase: 'subscription', amountCents: 2_000n }]);
    const { customers } = await bench.billing.listCustomers({}, callAs(customer.owner));
    expect(customers).toEqual([]);
  });

  it('is either forfeited or refunded when payment and deletion race', async () => {
    const customers = await Promise.all(Array.from({ length: 12 }, () => shop()));
    const pages = await Promise.all(customers.map((customer) => openTopUp(customer)));
    bench.processor.notices.hold();
    const payments = pages.map((page) => bench.processor.pay(page).payment_intent);
    const notices = bench.processor.notices.waiting();
    await Promise.all([
      ...notices.map((event) => bench.notify(event)),
      ...customers.map((customer) => remove(customer)),
    ]);
    for (const [i, customer] of customers.entries()) {
      await untilUndone(customer);
      const backCents = refundsOf(payments[i] ?? '').reduce((sum, { amount }) => sum + amount, 0);
      expect((await forfeited(customer)) / CENT + BigInt(backCents)).toBe(1_500n);
      expect(await wallet(customer)).toMatchObject({ balance: 0n });
      await expectConsistent(customer);
    }
  });
});

describe('the wallet of a deleted customer', () => {
  it('is forfeited and shows in the account usage of the owner only', async () => {
    const customer = await shop();
    bench.processor.pay(await openTopUp(customer));
    await bench.settled();
    await remove(customer);
    expect(await forfeited(customer)).toBe(1_500n * CENT);
    expect(await wallet(customer)).toMatchObject({ balance: 0n });
    expect(await forfeited(await shop())).toBe(0n);
    await expectConsistent(customer);
  });

  it('forfeits only paid money and returns promotional credit', async () => {
    const owner = ownerPrincipal();
    await makeTier(bench, owner, { tierCode: 'paygo', billingMode: 'paygo', promoCreditsCents: 300n });
    const customer = { owner, id: await makeCustomer(bench, owner, 'paygo') };
    bench.processor.pay(await openTopUp(customer, 700n));
    await bench.settled();
    await remove(customer);
    expect(await forfeited(customer)).toBe(700n * CENT);
    expect(await wallet(customer)).toMatchObject({ balance: 0n });
    await expectConsistent(customer);
  });

  it('forfeits what is left after open requests have settled', async () => {
    const customer = await shop();
    const { owner, id } = customer;
    await fundOwner(bench.billing, owner, 10_000n * CENT);
    await fundWallet(bench.billing, owner, id, 1_000n * CENT);
    const holdId = crypto.randomUUID();
    const principal = ownerPrincipal({ ...owner, kind: 3, keyId: '', customerId: id, tierCode: 'paygo' });
    const { decision } = await bench.billing.admit(
      { holdId, kind: 1, model: ECHO, inputTokensEstimate: 1_000n, maxOutputTokens: 1_000 },
      callAs(principal),
    );
    expect(decision.case).toBe('admitted');
    const { held } = await wallet(customer);
    await remove(customer);
    expect(await forfeited(customer)).toBe(1_000n * CENT - held);
    const { customerMicrocents } = await bench.billing.settle(
      { holdId, usage: { inputTokens: 1_000n, outputTokens: 10n } },
      callAs(principal),
    );
    bench.clock.advance({ minutes: 5 });
    await bench.replica();
    await until('an empty wallet', async () => (await wallet(customer)).balance === 0n);
    expect(await forfeited(customer)).toBe(1_000n * CENT - customerMicrocents);
    await expectConsistent(customer);
  });

  it('takes a later refund from the forfeited sum', async () => {
    const customer = await shop();
    const { payment_intent = '' } = bench.processor.pay(await openTopUp(customer));
    await bench.settled();
    await remove(customer);
    await bench.stripe.refunds.create({ payment_intent: payment_intent ?? '', amount: 400 });
    await bench.settled();
    expect(await forfeited(customer)).toBe(1_100n * CENT);
    expect(await wallet(customer)).toMatchObject({ balance: 0n });
    await expectConsistent(customer);
  });
});

describe('a running subscription', () => {
  it('continues at the processor after the deletion, and keeps its tier', async () => {
    const customer = await shop('free');
    const subscription = await buy(bench, customer.owner, customer.id, 'pro');
    await remove(customer);
    bench.processor.setSubscriptionStatus(subscription, 'past_due');
    await bench.settled();
    expect(bench.processor.store.get('subscription', subscription)?.status).toBe('past_due');
    const { tier } = await bench.billing.getTier({ by: { case: 'tierCode', value: 'pro' } }, callAs(customer.owner));
    const removeTier = () => bench.billing.deleteTier({ id: tier?.id ?? '' }, callAs(customer.owner));
    await expect(removeTier()).rejects.toMatchObject({ code: 'CONFLICT' });
    bench.processor.setSubscriptionStatus(subscription, 'canceled');
    await bench.settled();
    await removeTier();
  });

  it('is canceled with cancel_subscription, even if the processor was unreachable at first', async () => {
    const customer = await shop('free');
    const subscription = await buy(bench, customer.owner, customer.id, 'pro');
    bench.processor.faults.cut(/DELETE \/v1\/subscriptions/, 'before', 2);
    await remove(customer, { cancelSubscription: true });
    // A notice in between must not postpone the cancellation to the end of the period.
    bench.processor.setSubscriptionStatus(subscription, 'past_due');
    await bench.settled();
    const status = () => bench.processor.store.get('subscription', subscription)?.status;
    await until('a canceled subscription', () => {
      bench.clock.advance({ minutes: 1 });
      return status() === 'canceled';
    });
    expect(await subscriptionOf(bench, customer.owner, customer.id).catch(() => undefined)).toBeUndefined();
  });
});
