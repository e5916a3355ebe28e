import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { TopUp } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { waitUntil } from '@tollgate/testkit';
import fc from 'fast-check';
import { callAs, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { makeCustomer, makeTier, type PaymentsHarness, URLS } from '../../../testing/payments-harness.js';
import { usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('top_ups');

const CENT = 1_000_000n;

async function walletOwner(): Promise<{ owner: Principal; id: string }> {
  const owner = ownerPrincipal();
  await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  return { owner, id: await makeCustomer(harness, owner, 'paygo') };
}

async function topUp(owner: Principal, customerId: string, cents = 1_500n): Promise<TopUp> {
  const req = { customerId, creditAmountCents: cents, ...URLS };
  const { topUp } = await harness.payments.createWalletTopUp(req, callAs(owner));
  if (!topUp) throw new Error('no top-up');
  return topUp;
}

async function readBalance(owner: Principal, customerId: string): Promise<bigint> {
  return (await harness.billing.getCustomerBalance({ customerId }, callAs(owner))).balanceMicrocents / CENT;
}

async function expectConsistent(owner: Principal): Promise<void> {
  expect((await harness.billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);
}

async function history(owner: Principal, customerId: string): Promise<string[]> {
  const { entries } = await harness.billing.listBalanceHistory({ customerId, limit: 50 }, callAs(owner));
  return entries.map((e) => `${e.reason} ${e.direction} ${e.amountMicrocents / CENT}`).reverse();
}

describe('a wallet', () => {
  it('credits the wallet when the processor reports the payment, and not before', async () => {
    const { owner, id } = await walletOwner();
    harness.processor.webhooks.hold();
    const opened = await topUp(owner, id);
    expect(opened).toMatchObject({ status: 'pending', amountCents: 1_500n, sessionId: expect.stringMatching(/^cs_/) });
    expect(opened.url).toContain(opened.sessionId);
    harness.processor.pay(opened.sessionId);
    expect(await readBalance(owner, id)).toBe(0n);
    harness.processor.webhooks.release();
    await harness.settled();
    expect(await readBalance(owner, id)).toBe(1_500n);
    expect(await history(owner, id)).toEqual(['top-up credit 1500']);
    await expectConsistent(owner);
  });

  it('credits the wallet once for repeated, reordered and concurrent webhook events on two replicas', async () => {
    const { owner, id } = await walletOwner();
    harness.processor.webhooks.hold();
    harness.processor.pay((await topUp(owner, id)).sessionId);
    const events = harness.processor.webhooks.waiting().reverse();
    expect(events.length).toBeGreaterThanOrEqual(3);
    const other = await harness.replica();
    const all = [...events, ...events, ...events];
    await Promise.all(all.map((event, i) => harness.notify(event, i % 2 ? other.payments : undefined)));
    expect(await readBalance(owner, id)).toBe(1_500n);
    await expectConsistent(owner);
  });

  it('credits the wallet once when the webhook event arrives before the session call returns', async () => {
    const { owner, id } = await walletOwner();
    const answer = harness.processor.faults.pause(/POST \/v1\/checkout\/sessions$/);
    const opening = topUp(owner, id);
    await answer.reached;
    const session = harness.processor.store.all('checkout.session').at(-1);
    harness.processor.pay(session?.id ?? '');
    await harness.settled();
    expect(await readBalance(owner, id)).toBe(1_500n);
    answer.release();
    await opening;
    expect(await readBalance(owner, id)).toBe(1_500n);
  });

  it('loses nothing when a response is lost: the next call opens another page', async () => {
    const { owner, id } = await walletOwner();
    harness.processor.faults.cut(/POST \/v1\/checkout\/sessions$/, 'after', 2);
    await expect(topUp(owner, id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    harness.processor.pay((await topUp(owner, id)).sessionId);
    await harness.settled();
    expect(await readBalance(owner, id)).toBe(1_500n);
  });

  it('credits nothing for a page that was declined and expired', async () => {
    const { owner, id } = await walletOwner();
    const { sessionId } = await topUp(owner, id);
    expect(() => harness.processor.pay(sessionId, { card: 'pm_card_chargeCustomerFail' })).toThrow('declined');
    await harness.pass({ hours: 25 });
    expect(await readBalance(owner, id)).toBe(0n);
    const { rows } = await harness.ledger.database.pool.query(
      'SELECT status FROM payment_orders WHERE session_id = $1',
      [sessionId],
    );
    expect(rows).toEqual([{ status: 'expired' }]);
  });

  it('debits the wallet once per refund and credits it again for a failed one', async () => {
    const { owner, id } = await walletOwner();
    const payment_intent = harness.processor.pay((await topUp(owner, id)).sessionId).payment_intent ?? '';
    await harness.settled();
    await harness.stripe.refunds.create({ payment_intent, amount: 400 });
    const second = await harness.stripe.refunds.create({ payment_intent, amount: 100 });
    await harness.settled();
    expect(await readBalance(owner, id)).toBe(1_000n);
    harness.processor.failRefund(second.id);
    await harness.settled();
    for (const event of harness.processor.webhooks.all().filter(({ type }) => /refund/.test(type)))
      await harness.notify(event);
    expect(await readBalance(owner, id)).toBe(1_100n);
    expect(await history(owner, id)).toEqual([
      'top-up credit 1500',
      'refund debit 400',
      'refund debit 100',
      'refund failed credit 100',
    ]);
    await expectConsistent(owner);
  });

  it('debits the wallet for a dispute, even below zero, and credits it again when the dispute is won', async () => {
    const { owner, id } = await walletOwner();
    const payment_intent = harness.processor.pay((await topUp(owner, id)).sessionId).payment_intent ?? '';
    await harness.settled();
    await harness.stripe.refunds.create({ payment_intent, amount: 500 });
    const dispute = harness.processor.openDispute(payment_intent, { amount: 1_500 });
    await harness.settled();
    expect(await readBalance(owner, id)).toBe(-500n);
    harness.processor.closeDispute(dispute.id, 'won');
    await harness.settled();
    expect(await readBalance(owner, id)).toBe(1_000n);
    await expectConsistent(owner);
  });

  it('credits and debits the wallet for a refund that is reported before its payment', async () => {
    const { owner, id } = await walletOwner();
    harness.processor.webhooks.hold();
    const payment_intent = harness.processor.pay((await topUp(owner, id)).sessionId).payment_intent ?? '';
    await harness.stripe.refunds.create({ payment_intent, amount: 500 });
    const refunded = harness.processor.webhooks.waiting().find(({ type }) => type === 'charge.refunded');
    await harness.notify(refunded!);
    expect(await readBalance(owner, id)).toBe(1_000n);
    for (const event of harness.processor.webhooks.waiting()) await harness.notify(event);
    expect(await readBalance(owner, id)).toBe(1_000n);
    await expectConsistent(owner);
  });

  it.each<[string, object, string]>([
    ['too little', { creditAmountCents: 499n }, 'credit_amount_cents must be 500 to 500000'],
    ['too much', { creditAmountCents: 500_001n }, 'credit_amount_cents must be 500 to 500000'],
    ['less than nothing', { creditAmountCents: -1n }, 'credit_amount_cents must be 500 to 500000'],
    ['without a way back', { cancelUrl: '' }, 'cancel_url is required'],
  ])('answers 400 to a top-up with %s', async (_, values, message) => {
    const { owner, id } = await walletOwner();
    const req = { customerId: id, creditAmountCents: 500n, ...URLS, ...values };
    await expect(harness.payments.createWalletTopUp(req, callAs(owner))).rejects.toMatchObject({
      status: 400,
      message,
    });
  });

  it('accepts top-ups on PAYGO and overage tiers of the same project only', async () => {
    const { owner, id } = await walletOwner();
    await makeTier(harness, owner, { tierCode: 'plain', spendLimitCents: 100n });
    await makeTier(harness, owner, { tierCode: 'plus', spendLimitCents: 100n, overageEnabled: true });
    const plus = await makeCustomer(harness, owner, 'plus');
    harness.processor.pay((await topUp(owner, plus)).sessionId);
    await harness.settled();
    expect(await readBalance(owner, plus)).toBe(1_500n);
    await expect(topUp(owner, await makeCustomer(harness, owner, 'plain'))).rejects.toMatchObject({ status: 400 });
    await expect(topUp(ownerPrincipal(), id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('any sequence of payments, refunds and disputes', () => {
  const action = fc.record({
    do: fc.constantFrom('refund', 'fail', 'dispute', 'win', 'lose', 'notify'),
    cents: fc.integer({ min: 1, max: 900 }),
    pick: fc.nat(20),
  });

  it('leaves wallets with what was paid minus what was taken back, for any order of events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
        const { owner, id } = await walletOwner();
        harness.processor.webhooks.hold();
        const already = new Set(harness.processor.webhooks.waiting().map((event) => event.id));
        const payment_intent = harness.processor.pay((await topUp(owner, id)).sessionId).payment_intent ?? '';
        const mine = () => harness.processor.webhooks.all().filter((event) => !already.has(event.id));
        for (const step of actions) await carryOut(step, payment_intent, mine);
        // All events arrive in the end, the latest first.
        for (const event of mine().reverse()) await harness.notify(event);
        expect(await readBalance(owner, id)).toBe(BigInt(expectedCents(payment_intent)));
        await expectConsistent(owner);
      }),
      { numRuns: 25 },
    );
    // Many payments, one after the other.
  }, 180_000);

  async function carryOut(
    step: { do: string; cents: number; pick: number },
    payment_intent: string,
    mine: () => ReturnType<PaymentsHarness['processor']['webhooks']['all']>,
  ): Promise<void> {
    const refunds = harness.processor.store.all('refund').filter((r) => r.payment_intent === payment_intent);
    const disputes = harness.processor.store.all('dispute').filter((d) => d.payment_intent === payment_intent);
    const refund = refunds[step.pick % Math.max(1, refunds.length)];
    const dispute = disputes[step.pick % Math.max(1, disputes.length)];
    const events = mine();
    if (step.do === 'refund')
      await harness.stripe.refunds.create({ payment_intent, amount: step.cents }).catch(() => undefined);
    else if (step.do === 'fail' && refund?.status === 'succeeded') harness.processor.failRefund(refund.id);
    else if (step.do === 'dispute' && disputes.length < 2)
      harness.processor.openDispute(payment_intent, { amount: step.cents });
    else if (step.do === 'win' && dispute?.status === 'needs_response')
      harness.processor.closeDispute(dispute.id, 'won');
    else if (step.do === 'lose' && dispute?.status === 'needs_response')
      harness.processor.closeDispute(dispute.id, 'lost');
    else if (step.do === 'notify') await harness.notify(events[step.pick % events.length]!);
  }

  function expectedCents(payment_intent: string): number {
    const { store } = harness.processor;
    const refunded = store.all('refund').filter((r) => r.payment_intent === payment_intent && r.status !== 'failed');
    const disputed = store.all('dispute').filter((d) => d.payment_intent === payment_intent && d.status !== 'won');
    return 1_500 - [...refunded, ...disputed].reduce((sum, { amount }) => sum + amount, 0);
  }
});

describe('the owner’s balance', () => {
  const open = (owner: Principal, amountCents = 2_500n) =>
    harness.payments.createAccountTopUp({ amountCents, ...URLS }, callAs(owner));
  const cents = async (owner: Principal) =>
    (await harness.billing.getAccountBalance({}, callAs(owner))).balanceMicrocents / CENT;

  it('credits a paid checkout and debits its refund, and shows both in the record', async () => {
    const owner = ownerPrincipal();
    const { topUp: opened } = await open(owner);
    expect(opened).toMatchObject({ amountCents: 2_500n, currency: 'usd', status: 'pending', automatic: false });
    const session = harness.processor.pay(opened?.sessionId ?? '');
    await harness.settled();
    expect(await cents(owner)).toBe(2_500n);
    const read = () => harness.payments.getAccountTopUp({ id: opened?.id ?? '' }, callAs(owner));
    expect((await read()).topUp).toMatchObject({ status: 'completed', reversedCents: 0n });
    await harness.stripe.refunds.create({ payment_intent: session.payment_intent ?? '', amount: 500 });
    await harness.settled();
    expect((await read()).topUp?.reversedCents).toBe(500n);
    expect(await cents(owner)).toBe(2_000n);
    await expectConsistent(owner);
  });

  it('keeps a refund when an older webhook event arrives after it', async () => {
    const owner = ownerPrincipal();
    const opened = (await open(owner)).topUp;
    harness.processor.webhooks.hold();
    const payment_intent = harness.processor.pay(opened?.sessionId ?? '').payment_intent ?? '';
    const paid = harness.processor.webhooks.waiting().find(({ type }) => type === 'payment_intent.succeeded');
    if (!paid) throw new Error('no webhook event');
    const unrefunded = harness.processor.faults.pause(/GET \/v1\/refunds$/);
    const slow = harness.notify(paid);
    await unrefunded.reached;
    await harness.stripe.refunds.create({ payment_intent, amount: 500 });
    await harness.notify(paid);
    unrefunded.release();
    await slow;
    const { topUp } = await harness.payments.getAccountTopUp({ id: opened?.id ?? '' }, callAs(owner));
    expect(topUp).toMatchObject({ status: 'completed', reversedCents: 500n });
    expect(await cents(owner)).toBe(2_000n);
    await expectConsistent(owner);
  });

  it('lists its own top-ups, newest first, page by page', async () => {
    const owner = ownerPrincipal();
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      ids.unshift((await open(owner)).topUp?.id ?? '');
      harness.clock.advance({ seconds: 1 });
    }
    const list = (values: object) => harness.payments.listAccountTopUps(values, callAs(owner));
    expect((await list({})).topUps.map(({ id }) => id)).toEqual(ids);
    const page = await list({ limit: 2, offset: 0 });
    expect([page.topUps.length, page.hasMore]).toEqual([2, true]);
    const stranger = callAs(ownerPrincipal());
    expect((await harness.payments.listAccountTopUps({}, stranger)).topUps).toEqual([]);
    for (const id of [ids[0] ?? '', randomUUID(), 'nonsense'])
      await expect(harness.payments.getAccountTopUp({ id }, stranger)).rejects.toMatchObject({ status: 404 });
  });

  it.each([499n, 500_001n, 0n])('answers 400 to a top-up of %s cents', async (amountCents) => {
    await expect(open(ownerPrincipal(), amountCents)).rejects.toMatchObject({ status: 400 });
  });

  it('credits the balance for a payment whose webhook events were all lost', async () => {
    const owner = ownerPrincipal();
    harness.processor.webhooks.hold();
    harness.processor.pay((await open(owner)).topUp?.sessionId ?? '');
    harness.clock.advance({ minutes: 16 });
    await waitUntil(async () => (await cents(owner)) === 2_500n, { what: 'the credit' });
  });
});

it('answers SERVICE_UNAVAILABLE if no processor is configured', async () => {
  const { owner, id } = await walletOwner();
  const { payments } = await harness.replica({ STRIPE_SECRET_KEY: '' });
  await expect(
    payments.createWalletTopUp({ customerId: id, creditAmountCents: 1_000n, ...URLS }, callAs(owner)),
  ).rejects.toMatchObject({ status: 503, retryable: false });
});
