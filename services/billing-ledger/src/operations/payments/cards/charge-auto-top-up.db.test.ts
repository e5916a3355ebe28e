import { describe, expect, it } from '@jest/globals';
import type { AutoTopUp } from '@tollgate/contracts/billing/v1/payments_pb.js';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import { callAs, fundOwner, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { URLS } from '../../../testing/payments-harness.js';
import { usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('cards', {
  SIGNUP_CREDIT_CENTS: '500',
  AUTO_TOPUP_MAX_DAILY_CENTS: '5000',
  AUTO_TOPUP_MAX_MONTHLY_CENTS: '9000',
});

const CENT = 1_000_000n;
const cents = async (owner: Principal) =>
  (await harness.billing.getAccountBalance({}, callAs(owner))).balanceMicrocents / CENT;
const consistent = async (owner: Principal) =>
  expect((await harness.billing.verifyLedger({}, callAs(owner))).differences).toEqual([]);

describe('automatic top-ups', () => {
  const settings = async (owner: Principal): Promise<AutoTopUp> =>
    (await harness.payments.getAutoTopUp({}, callAs(owner))).autoTopUp as AutoTopUp;
  const set = (owner: Principal, values: object = {}) =>
    harness.payments.setAutoTopUp(
      { enabled: true, thresholdCents: 1_000n, amountCents: 2_000n, ...values },
      callAs(owner),
    );
  const until = (owner: Principal, balance: bigint) =>
    waitUntil(async () => (await cents(owner)) === balance, { what: `a balance of ${balance}` });
  const charges = async (owner: Principal) =>
    (await harness.payments.listAccountTopUps({}, callAs(owner))).topUps.filter(({ automatic }) => automatic);

  async function withCard(card = 'pm_card_visa'): Promise<Principal> {
    const owner = ownerPrincipal();
    const { setupIntentId } = await harness.payments.startCardSetup({}, callAs(owner));
    await harness.stripe.setupIntents.confirm(setupIntentId, { payment_method: card });
    await harness.payments.confirmCardSetup({ setupIntentId }, callAs(owner));
    return owner;
  }

  it('shows automatic top-ups as disabled, with their limits, until they are set up', async () => {
    expect(await settings(ownerPrincipal())).toMatchObject({
      enabled: false,
      failureCount: 0n,
      limits: { minTopupCents: 500n, maxSingleCents: 500_000n, maxDailyCents: 5_000n, maxMonthlyCents: 9_000n },
    });
  });

  it('answers 409 to enabling without a card, and stores settings that are disabled', async () => {
    const owner = ownerPrincipal();
    await expect(set(owner)).rejects.toMatchObject({ status: 409 });
    await set(owner, { enabled: false });
    expect(await settings(owner)).toMatchObject({ enabled: false, thresholdCents: 1_000n, amountCents: 2_000n });
    await expect(set(owner)).rejects.toMatchObject({ status: 409 });
  });

  it.each([
    ['too little', { amountCents: 499n }],
    ['too much', { amountCents: 500_001n }],
    ['a threshold below zero', { thresholdCents: -1n }],
  ])('answers 400 to %s', async (_, values) => {
    await expect(set(await withCard(), values)).rejects.toMatchObject({ status: 400 });
  });

  it('saves the card of a finished setup of the same owner', async () => {
    const owner = ownerPrincipal();
    const setup = await harness.payments.startCardSetup({}, callAs(owner));
    expect(setup.clientSecret).toContain(setup.setupIntentId);
    const confirm = (by: Principal) =>
      harness.payments.confirmCardSetup({ setupIntentId: setup.setupIntentId }, callAs(by));
    await expect(confirm(owner)).rejects.toMatchObject({ status: 409 });
    await harness.stripe.setupIntents.confirm(setup.setupIntentId, { payment_method: 'pm_card_mastercard' });
    await expect(confirm(ownerPrincipal())).rejects.toMatchObject({ status: 404 });
    expect((await confirm(owner)).autoTopUp?.paymentMethod).toMatchObject({ brand: 'mastercard', last4: '4444' });
    expect((await confirm(owner)).autoTopUp?.paymentMethod?.last4).toBe('4444');
  });

  it('saves the card on the webhook event alone', async () => {
    const owner = ownerPrincipal();
    const { setupIntentId } = await harness.payments.startCardSetup({}, callAs(owner));
    await harness.stripe.setupIntents.confirm(setupIntentId, { payment_method: 'pm_card_visa' });
    await harness.settled();
    expect((await settings(owner)).paymentMethod?.last4).toBe('4242');
  });

  it('saves the card of a page of the processor, once, and keeps a later card when the event is repeated', async () => {
    const owner = ownerPrincipal();
    const start = () => harness.payments.startCardSetupCheckout(URLS, callAs(owner));
    const first = await start();
    expect(first.checkoutUrl).toContain(first.checkoutSessionId);
    await harness.settled();
    expect((await settings(owner)).paymentMethod).toBeUndefined();
    harness.processor.pay(first.checkoutSessionId, { card: 'pm_card_visa' });
    await harness.settled();
    expect((await settings(owner)).paymentMethod?.last4).toBe('4242');

    harness.processor.webhooks.hold();
    const second = await start();
    harness.processor.pay(second.checkoutSessionId, { card: 'pm_card_mastercard' });
    const events = harness.processor.webhooks.waiting();
    harness.processor.webhooks.release();
    await harness.settled();
    expect((await settings(owner)).paymentMethod?.last4).toBe('4444');
    const { setupIntentId } = await harness.payments.startCardSetup({}, callAs(owner));
    await harness.stripe.setupIntents.confirm(setupIntentId, { payment_method: 'pm_card_visa' });
    await harness.settled();
    for (const event of events) await harness.notify(event);
    expect((await settings(owner)).paymentMethod?.last4).toBe('4242');
    await set(owner);
    await until(owner, 2_000n);
  });

  it.each(['javascript:alert(1)', ''])('rejects the page address %j to return to', async (successUrl) => {
    const start = harness.payments.startCardSetupCheckout({ ...URLS, successUrl }, callAs(ownerPrincipal()));
    await expect(start).rejects.toMatchObject({ status: 400 });
  });

  it('charges the card once when the balance is below the threshold', async () => {
    const owner = await withCard();
    await fundOwner(harness.billing, owner, 900n * CENT);
    await set(owner);
    await until(owner, 2_900n);
    await harness.settled();
    expect(await cents(owner)).toBe(2_900n);
    expect(await charges(owner)).toMatchObject([{ status: 'completed', amountCents: 2_000n, sessionId: '' }]);
    expect((await settings(owner)).lastTriggeredAt).toBeDefined();
    await consistent(owner);
  });

  it('charges the card once on several replicas', async () => {
    const owner = await withCard();
    await Promise.all(Array.from({ length: 3 }, () => harness.replica({ AUTO_TOPUP_INTERVAL: '10ms' })));
    await set(owner);
    await until(owner, 2_000n);
    await harness.settled();
    expect(await charges(owner)).toHaveLength(1);
    const payer = harness.processor.store
      .all('payment_intent')
      .filter((i) => i.description === 'Automatic top-up')
      .at(-1);
    expect(
      harness.processor.store
        .all('payment_intent')
        .filter((i) => i.customer === payer?.customer && i.amount_received > 0),
    ).toHaveLength(1);
  });

  it('credits the balance once when the webhook event arrives before the charge returns', async () => {
    const owner = await withCard();
    const answer = harness.processor.faults.pause(/POST \/v1\/payment_intents$/);
    await set(owner);
    await answer.reached;
    await until(owner, 2_000n);
    answer.release();
    await harness.settled();
    expect(await cents(owner)).toBe(2_000n);
    expect(await charges(owner)).toMatchObject([{ status: 'completed' }]);
    await consistent(owner);
  });

  it.each(['before', 'after'] as const)(
    'charges the card once when the connection is lost %s the charge and every webhook event is lost',
    async (when) => {
      const owner = await withCard();
      harness.processor.webhooks.hold();
      harness.processor.faults.cut(/POST \/v1\/payment_intents$/, when, 2);
      await set(owner);
      await waitUntil(async () => (await charges(owner)).length === 1, { what: 'the attempt' });
      expect((await charges(owner))[0]?.status).toBe('pending');
      expect(await cents(owner)).toBe(0n);
      harness.clock.advance({ minutes: 3 });
      await until(owner, 2_000n);
      harness.processor.webhooks.release();
      await harness.settled();
      expect(await cents(owner)).toBe(2_000n);
      expect(await charges(owner)).toMatchObject([{ status: 'completed' }]);
    },
  );

  it('disables automatic top-ups after five failed charges, and resets the count when they are set again', async () => {
    const owner = await withCard('pm_card_chargeCustomerFail');
    await set(owner);
    for (let failures = 1; failures <= 5; failures += 1) {
      await waitUntil(async () => (await settings(owner)).failureCount === BigInt(failures), {
        what: `failure ${failures}`,
      });
      expect((await settings(owner)).enabled).toBe(failures < 5);
      harness.clock.advance({ hours: 6 });
    }
    await harness.settled();
    const all = await charges(owner);
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'failed'));
    expect(await cents(owner)).toBe(0n);
    const failures = await harness.ledger.eventsOfAccount(eventTypes.autoTopUpFailed, owner.accountId);
    expect(failures.map(({ failureCount, isStopped }) => [failureCount, isStopped])).toEqual(
      [1, 2, 3, 4, 5].map((count) => [count, count === 5]),
    );
    expect(failures[0]).toMatchObject({ amountCents: 2_000n, currency: 'usd', reason: 'Your card was declined.' });
    await set(owner, { enabled: false });
    expect((await settings(owner)).failureCount).toBe(0n);
  });

  it('raises the balance to the threshold with one charge, a multiple of the amount', async () => {
    const owner = await withCard();
    await fundOwner(harness.billing, owner, 150n * CENT);
    await set(owner, { thresholdCents: 4_000n, amountCents: 500n });
    await until(owner, 4_150n);
    harness.clock.advance({ minutes: 2 });
    await harness.settled();
    expect(await charges(owner)).toMatchObject([{ amountCents: 4_000n }]);
  });

  it('answers 400 to a threshold that one charge cannot reach within the limits', async () => {
    const call = set(await withCard(), { thresholdCents: 5_001n, amountCents: 500n });
    await expect(call).rejects.toMatchObject({
      status: 400,
      message: 'threshold_cents needs a charge of more than 5000, the most that one charge can be: lower the threshold',
    });
  });

  it('keeps charges within the daily and the monthly limit', async () => {
    harness.clock.set('2027-03-02T00:00:00Z');
    const owner = await withCard();
    /** Returns every charge to the card, so that the balance is empty again. */
    const refundAll = async () => {
      for (const { id } of await charges(owner)) {
        const made = harness.processor.store
          .all('payment_intent')
          .find(({ metadata }) => metadata.tollgate_order === id);
        await harness.stripe.refunds.create({ payment_intent: made?.id ?? '' }).catch(() => undefined);
      }
      await harness.settled();
    };
    await set(owner, { thresholdCents: 4_000n, amountCents: 1_000n });
    await until(owner, 4_000n);
    await refundAll();
    expect(await charges(owner)).toHaveLength(1); // and a rest of a minute
    harness.clock.advance({ minutes: 1 });
    await until(owner, 1_000n); // what is left of 5,000 in a day
    harness.clock.advance({ hours: 1 });
    await harness.replica();
    expect(await cents(owner)).toBe(1_000n);
    harness.clock.set('2027-03-03T00:30:00Z');
    await until(owner, 4_000n);
    await refundAll();
    harness.clock.set('2027-03-04T00:30:00Z');
    await until(owner, 1_000n); // what is left of 9,000 in a month
    harness.clock.set('2027-03-05T00:30:00Z');
    await harness.settled();
    expect((await charges(owner)).map(({ amountCents }) => amountCents)).toEqual([1_000n, 3_000n, 1_000n, 4_000n]);
    await set(owner, { enabled: false });
  });

  it('deletes the settings and the card, which a late webhook event does not restore', async () => {
    const owner = await withCard();
    const card = (await settings(owner)).paymentMethod?.id ?? '';
    for (let i = 0; i < 2; i += 1) await harness.payments.deleteAutoTopUp({}, callAs(owner));
    expect(await settings(owner)).toMatchObject({ enabled: false });
    expect((await settings(owner)).paymentMethod).toBeUndefined();
    expect((await harness.stripe.paymentMethods.retrieve(card)).customer).toBeNull();
    // A late webhook event of the setup does not restore the card.
    for (const event of harness.processor.webhooks.all().filter(({ type }) => type === 'setup_intent.succeeded'))
      await harness.notify(event);
    expect((await settings(owner)).paymentMethod).toBeUndefined();
  });
});
