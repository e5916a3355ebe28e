import { timestampMs } from '@bufbuild/protobuf/wkt';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ownerPrincipal } from '../../../testing/ledger-harness.js';
import {
  buy,
  makeCustomer,
  makeTier,
  type PaymentsHarness,
  startPaymentsHarness,
  findSubscription,
  URLS,
} from '../../../testing/payments-harness.js';

let harness: PaymentsHarness;
beforeAll(async () => {
  harness = await startPaymentsHarness('subscriptions');
});
afterEach(() => harness.processor.notices.release());
afterAll(() => harness.stop());

/** A project with one tier of each kind. */
async function project(): Promise<Principal> {
  const owner = ownerPrincipal();
  await makeTier(harness, owner, { tierCode: 'free', isDefault: true, spendLimitCents: 100n });
  await makeTier(harness, owner, { tierCode: 'other', spendLimitCents: 200n });
  await makeTier(harness, owner, { tierCode: 'paygo', billingMode: 'paygo' });
  await makeTier(harness, owner, { tierCode: 'pro', priceCents: 2_000, spendLimitCents: 1_000n });
  await makeTier(harness, owner, { tierCode: 'twin', priceCents: 2_000 });
  await makeTier(harness, owner, { tierCode: 'max', priceCents: 9_000 });
  await makeTier(harness, owner, { tierCode: 'trial', priceCents: 3_000, trialDays: 14 });
  await makeTier(harness, owner, { tierCode: 'unpriced', priceCents: 5_000, isUnpriced: true });
  return owner;
}

const changes = (owner: Principal) => harness.ledger.events(eventTypes.subscriptionChanged, owner.projectId);
const changeTier = (owner: Principal, customerId: string, tierCode: string) =>
  harness.payments.changeTier({ customerId, tierCode }, callAs(owner));
const checkout = (owner: Principal, customerId: string, tierCode: string) =>
  harness.payments.createCheckout({ customerId, tier: { case: 'tierCode', value: tierCode }, ...URLS }, callAs(owner));
const stateOf = async (owner: Principal, id: string) => {
  const subscription = await findSubscription(harness, owner, id);
  return subscription && `${subscription.tierCode} ${subscription.subscriptionStatus}`;
};

describe('a checkout', () => {
  it('links the subscription to the customer, with the processor’s ids and period, and says so once', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const before = (await changes(owner)).length;
    const processorId = await buy(harness, owner, id, 'pro');
    const item = (await harness.stripe.subscriptions.retrieve(processorId)).items.data[0];
    const subscription = await findSubscription(harness, owner, id);
    expect(subscription).toMatchObject({
      tierCode: 'pro',
      subscriptionStatus: 'active',
      billingProvider: 'stripe',
      billingSubscriptionId: processorId,
      billingCustomerId: expect.stringMatching(/^cus_/),
    });
    expect(timestampMs(subscription!.currentPeriodEnd!)).toBe((item?.current_period_end ?? 0) * 1_000);
    const events = (await changes(owner)).slice(before);
    expect(events.map((e) => [e.customerId, e.tierCode, e.subscriptionStatus])).toEqual([[id, 'pro', 'active']]);
  });

  it('starts with the tier’s trial, whose end is the period’s, once per customer', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'trial');
    const subscription = await findSubscription(harness, owner, id);
    expect(subscription?.subscriptionStatus).toBe('trialing');
    expect(timestampMs(subscription!.currentPeriodEnd!) - harness.clock.nowMs()).toBe(14 * 86_400_000);
    await harness.pass({ days: 14 });
    expect(await stateOf(owner, id)).toBe('trial active');
    harness.processor.setSubscriptionStatus(subscription!.billingSubscriptionId, 'canceled');
    await harness.settled();
    await buy(harness, owner, id, 'trial');
    expect(await stateOf(owner, id)).toBe('trial active');
  });

  it('of a tier alone makes a customer of the e-mail that the processor collected', async () => {
    const owner = await project();
    const tier = { case: 'tierCode' as const, value: 'pro' };
    const { sessionId, url } = await harness.payments.createCheckout({ tier, ...URLS }, callAs(owner));
    expect(url).toContain(sessionId);
    harness.processor.pay(sessionId, { email: 'payer@example.org' });
    await harness.settled();
    const { customers } = await harness.billing.listCustomers({}, callAs(owner));
    expect(customers).toHaveLength(1);
    expect(customers[0]).toMatchObject({
      customer: { email: 'payer@example.org', externalId: expect.stringMatching(/^cus_/) },
      subscription: { tierCode: 'pro', subscriptionStatus: 'active' },
    });
    expect(await harness.ledger.events(eventTypes.customerCreated, owner.projectId)).toHaveLength(1);
  });

  it.each<[string, object, string, string]>([
    ['a free tier', { tierCode: 'free' }, 'INVALID_INPUT', 'not a paid tier'],
    ['a PAYGO tier', { tierCode: 'paygo' }, 'INVALID_INPUT', 'not a paid tier'],
    ['a tier without a price', { tierCode: 'unpriced' }, 'CONFLICT', 'tier has no billing pricing configured'],
    ['an unknown tier', { tierCode: 'nothing' }, 'NOT_FOUND', 'tier not found'],
    ['no success address', { tierCode: 'pro', successUrl: '' }, 'VALIDATION_ERROR', 'success_url is required'],
    ['an address that is none', { tierCode: 'pro', cancelUrl: 'shop' }, 'VALIDATION_ERROR', 'cancel_url must be'],
  ])('refuses %s', async (_, values, code, message) => {
    const owner = await project();
    const customerId = await makeCustomer(harness, owner, 'free');
    const { tierCode, ...urls } = { ...URLS, ...values } as typeof URLS & { tierCode: string };
    const tier = { case: 'tierCode' as const, value: tierCode };
    await expect(harness.payments.createCheckout({ customerId, tier, ...urls }, callAs(owner))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('refuses another project’s customer, a second subscription, and a price that the processor does not know', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await expect(checkout(await project(), id, 'pro')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await buy(harness, owner, id, 'pro');
    await expect(checkout(owner, id, 'max')).rejects.toMatchObject({ code: 'CONFLICT' });
    const tier = {
      tierCode: 'stale',
      displayName: 'x',
      priceAmountCents: 100n,
      priceCurrency: 'usd',
      priceInterval: 'month',
    };
    const models = [{ modelId: 'sandbox/echo-1' }];
    await harness.billing.createTier({ ...tier, models, billingPriceRef: 'price_gone' }, callAs(owner));
    const other = await makeCustomer(harness, owner, 'free');
    await expect(checkout(owner, other, 'stale')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('does not know'),
    });
  });

  it('is refused to a customer who pays for a tier elsewhere', async () => {
    const owner = await project();
    await makeTier(harness, owner, {
      tierCode: 'partner',
      priceCents: 4_000,
      isUnpriced: true,
      billingProvider: 'external',
    });
    const id = await makeCustomer(harness, owner);
    await harness.billing.setSubscription({ customerId: id, tierCode: 'partner' }, callAs(owner));
    await expect(checkout(owner, id, 'pro')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(changeTier(owner, id, 'pro')).rejects.toMatchObject({ status: 409 });
  });

  it('is not for projects that bill elsewhere', async () => {
    const owner = ownerPrincipal({ byob: true });
    await expect(checkout(owner, '', 'pro')).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('that is cancelled or declined changes nothing', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const { sessionId } = await checkout(owner, id, 'pro');
    expect(() => harness.processor.pay(sessionId, { card: 'pm_card_chargeDeclined' })).toThrow('declined');
    await harness.settled();
    expect(await stateOf(owner, id)).toBe('free active');
  });
});

describe('a tier that somebody is paying for', () => {
  it('can not be deleted until the checkout has ended without a payment', async () => {
    const owner = await project();
    await checkout(owner, await makeCustomer(harness, owner, 'free'), 'pro');
    const { tier } = await harness.billing.getTier({ by: { case: 'tierCode', value: 'pro' } }, callAs(owner));
    const remove = () => harness.billing.deleteTier({ id: tier?.id ?? '' }, callAs(owner));
    await expect(remove()).rejects.toMatchObject({ status: 409, message: 'the tier is in use and cannot be deleted' });
    await harness.pass({ hours: 25 });
    await remove();
  });
});

describe('the processor’s state', () => {
  it.each(['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete'] as const)(
    'shows as it is: %s',
    async (status) => {
      const owner = await project();
      const id = await makeCustomer(harness, owner, 'free');
      harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), status);
      await harness.settled();
      expect(await stateOf(owner, id)).toBe(`pro ${status}`);
    },
  );

  it.each(['canceled', 'incomplete_expired'] as const)('%s brings the default tier', async (status) => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'other');
    harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), status);
    await harness.settled();
    expect(await findSubscription(harness, owner, id)).toMatchObject({
      tierCode: 'free',
      subscriptionStatus: 'active',
      billingProvider: '',
      billingSubscriptionId: '',
    });
  });

  it('canceled in a project without a default tier stays as it ended', async () => {
    const owner = ownerPrincipal();
    await makeTier(harness, owner, { tierCode: 'pro', priceCents: 2_000 });
    const id = await makeCustomer(harness, owner);
    harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), 'canceled');
    await harness.settled();
    expect(await stateOf(owner, id)).toBe('pro canceled');
  });

  it('renews the period, and shows a payment that failed', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'trial', 'pm_card_chargeCustomerFail');
    const first = await findSubscription(harness, owner, id);
    await harness.pass({ days: 15 });
    const second = await findSubscription(harness, owner, id);
    expect(second?.subscriptionStatus).toBe('past_due');
    expect(second?.currentPeriodStart).toEqual(first?.currentPeriodEnd);
  });

  it('follows a price that was changed at the processor', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const subscription = await harness.stripe.subscriptions.retrieve(await buy(harness, owner, id, 'pro'));
    const { tier } = await harness.billing.getTier({ by: { case: 'tierCode', value: 'max' } }, callAs(owner));
    const items = [{ id: subscription.items.data[0]?.id ?? '', price: tier?.billingPriceRef ?? '' }];
    await harness.stripe.subscriptions.update(subscription.id, { items });
    await harness.settled();
    expect(await stateOf(owner, id)).toBe('max active');
  });

  it('of customers that were deleted, and of subscriptions that are not ours, is let be', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const processorId = await buy(harness, owner, id, 'pro');
    await harness.billing.deleteCustomer({ id }, callAs(owner));
    harness.processor.setSubscriptionStatus(processorId, 'past_due');
    const { id: customer } = await harness.stripe.customers.create({});
    const card = await harness.stripe.paymentMethods.attach('pm_card_visa', { customer });
    const price = await harness.stripe.prices.create({
      currency: 'usd',
      unit_amount: 700,
      recurring: { interval: 'month' },
      product_data: { name: 'something else' },
    });
    await harness.stripe.subscriptions.create({
      customer,
      items: [{ price: price.id }],
      default_payment_method: card.id,
    });
    await harness.settled();
    expect((await harness.stripe.subscriptions.retrieve(processorId)).status).toBe('past_due');
  });
});

describe('notices', () => {
  it('are refused when they are not signed, signed by another, changed, or too old', async () => {
    const payload = JSON.stringify({ object: 'event', type: 'customer.created', data: { object: {} } });
    const sign = (secret: string, timestamp?: number) =>
      harness.stripe.webhooks.generateTestHeaderString({ payload, secret, ...(timestamp && { timestamp }) });
    const now = Math.floor(Date.now() / 1_000);
    const attempts: [string, string][] = [
      [payload, ''],
      [payload, sign('whsec_other')],
      [`${payload} `, sign('whsec_test')],
      [payload, sign('whsec_test', now - 400)],
    ];
    for (const [body, signature] of attempts) {
      const call = harness.payments.receiveNotice({ payload: Buffer.from(body), signature }, callAs(ownerPrincipal()));
      await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', status: 400 });
    }
    const good = { payload: Buffer.from(payload), signature: sign('whsec_test', now - 200) };
    await harness.payments.receiveNotice(good, callAs(ownerPrincipal()));
  });

  it.each(['null', '5', '[]', '{}', '{"type":"x"}', '{"type":"x","data":{"object":null}}'])(
    'are refused when what is signed is %s',
    async (payload) => {
      const signature = harness.stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_test' });
      const call = harness.payments.receiveNotice({ payload: Buffer.from(payload), signature }, callAs(ownerPrincipal()));
      await expect(call).rejects.toMatchObject({ code: 'INVALID_INPUT', status: 400 });
    },
  );

  it('in any order, twice, at once, on two replicas: the same subscription, one event', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const before = (await changes(owner)).length;
    harness.processor.notices.hold();
    const { sessionId } = await checkout(owner, id, 'pro');
    harness.processor.pay(sessionId);
    const events = harness.processor.notices.waiting().reverse();
    const other = await harness.replica();
    await Promise.all(
      [...events, ...events].map((event, i) => harness.notify(event, i % 2 ? other.payments : undefined)),
    );
    expect(await stateOf(owner, id)).toBe('pro active');
    expect((await changes(owner)).slice(before)).toHaveLength(1);
  });

  it('of a tier’s own checkout, all at once: one customer', async () => {
    const owner = await project();
    harness.processor.notices.hold();
    const tier = { case: 'tierCode' as const, value: 'pro' };
    const { sessionId } = await harness.payments.createCheckout({ tier, ...URLS }, callAs(owner));
    harness.processor.pay(sessionId, { email: 'payer@example.org' });
    const events = harness.processor.notices.waiting();
    await Promise.all([...events, ...events, ...events].map((event) => harness.notify(event)));
    const { customers } = await harness.billing.listCustomers({}, callAs(owner));
    expect(customers).toHaveLength(1);
    expect(customers[0]?.subscription?.tierCode).toBe('pro');
  });

  it('days late, after the subscription has ended and the customer has another, bring nothing back', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), 'canceled');
    await harness.settled();
    const late = harness.processor.notices.all().filter((event) => event.type.startsWith('customer.subscription'));
    await buy(harness, owner, id, 'max');
    for (const event of late) await harness.notify(event);
    expect(await stateOf(owner, id)).toBe('max active');
  });

  it('that overtake each other on the way leave the later state: an answer asked for earlier never wins', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const processorId = await buy(harness, owner, id, 'pro');
    harness.processor.notices.hold();
    harness.processor.setSubscriptionStatus(processorId, 'past_due');
    const [stale] = harness.processor.notices.waiting();
    // The first notice has read `past_due` and hangs; meanwhile the payment comes through and is told of.
    const slow = harness.processor.faults.pause(new RegExp(`GET /v1/subscriptions/${processorId}`));
    const first = harness.notify(stale!);
    await slow.reached;
    harness.processor.setSubscriptionStatus(processorId, 'active');
    await harness.notify(harness.processor.notices.waiting().at(-1)!);
    slow.release();
    await first;
    expect(await stateOf(owner, id)).toBe('pro active');
  });

  it('answer 503 while the processor cannot be asked, and have their effect when they come again', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    harness.processor.notices.hold();
    const { sessionId } = await checkout(owner, id, 'pro');
    harness.processor.pay(sessionId);
    const done = harness.processor.notices.waiting().at(-1)!;
    harness.processor.faults.cut(/GET \/v1\/checkout/, 'before', 2);
    await expect(harness.notify(done)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await harness.notify(done);
    expect(await stateOf(owner, id)).toBe('pro active');
  });

  it('that never come are made up for: the processor is asked about what is overdue', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    harness.processor.notices.hold();
    const { sessionId } = await checkout(owner, id, 'pro');
    harness.processor.pay(sessionId);
    harness.clock.advance({ minutes: 16 });
    await waitUntil(async () => (await stateOf(owner, id)) === 'pro active', {
      what: 'the checkout to be found paid',
      timeoutMs: 20_000,
    });
    await changeTier(owner, id, 'free');
    harness.clock.advance({ days: 32 });
    harness.processor.passTime();
    await waitUntil(async () => (await stateOf(owner, id)) === 'free active', {
      what: 'the end of the subscription to be found',
      timeoutMs: 20_000,
    });
  });
});

describe('a customer who pays twice', () => {
  it('keeps the newer subscription; the older is cancelled at the processor', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const [first, second] = [await checkout(owner, id, 'pro'), await checkout(owner, id, 'max')];
    const older = harness.processor.pay(first.sessionId).subscription ?? '';
    await harness.settled();
    harness.clock.advance({ seconds: 5 });
    const newer = harness.processor.pay(second.sessionId).subscription ?? '';
    await harness.settled();
    expect((await harness.stripe.subscriptions.retrieve(older)).status).toBe('canceled');
    expect((await harness.stripe.subscriptions.retrieve(newer)).status).toBe('active');
    expect(await stateOf(owner, id)).toBe('max active');
  });
});

describe('a tier change', () => {
  /** Half a period of it: the prices' difference of the other half is what proration comes to. */
  async function passHalfOf(processorId: string): Promise<void> {
    const item = (await harness.stripe.subscriptions.retrieve(processorId)).items.data[0];
    await harness.pass({ seconds: ((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)) / 2 });
  }

  it.each([
    ['max', 'upgraded'],
    ['twin', 'changed'],
  ])('from paid to paid %s reprices the running subscription: %s', async (to, action) => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const processorId = await buy(harness, owner, id, 'pro');
    await harness.pass({ days: 10 });
    const result = await changeTier(owner, id, to);
    expect(result).toMatchObject({
      action,
      subscription: { tierCode: to, subscriptionStatus: 'active', billingSubscriptionId: processorId },
    });
    await harness.settled();
    expect(await stateOf(owner, id)).toBe(`${to} active`);
  });

  it('upgrades with proration, paid at once', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const processorId = await buy(harness, owner, id, 'pro');
    await passHalfOf(processorId);
    await changeTier(owner, id, 'max');
    const { latest_invoice } = await harness.stripe.subscriptions.retrieve(processorId, { expand: ['latest_invoice'] });
    expect(latest_invoice).toMatchObject({ billing_reason: 'subscription_update', total: 3_500, amount_paid: 3_500 });
  });

  it('downgrades with proration, settled with the next invoice', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const processorId = await buy(harness, owner, id, 'max');
    await passHalfOf(processorId);
    expect((await changeTier(owner, id, 'pro')).action).toBe('downgraded');
    await passHalfOf(processorId);
    await harness.pass({ days: 10 });
    const { latest_invoice } = await harness.stripe.subscriptions.retrieve(processorId, { expand: ['latest_invoice'] });
    expect(latest_invoice).toMatchObject({ billing_reason: 'subscription_cycle', total: 2_000 - 3_500 });
    expect(await stateOf(owner, id)).toBe('pro active');
  });

  it('from free to paid buys with the card on file', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), 'canceled');
    await harness.settled();
    expect(await stateOf(owner, id)).toBe('free active');
    const result = await changeTier(owner, id, 'max');
    expect(result).toMatchObject({
      action: 'upgraded',
      subscription: { tierCode: 'max', subscriptionStatus: 'active' },
    });
    await harness.settled();
    expect(await stateOf(owner, id)).toBe('max active');
  });

  it('from paid to the default tier waits for the period’s end; the notice of it assigns the tier', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'pro');
    const result = await changeTier(owner, id, 'free');
    expect(result).toMatchObject({ action: 'scheduled_cancellation', subscription: { tierCode: 'pro' } });
    await harness.settled();
    expect(await stateOf(owner, id)).toBe('pro active');
    await harness.pass({ days: 32 });
    expect(await stateOf(owner, id)).toBe('free active');
  });

  it('from free to free is local, in the same window', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const before = await findSubscription(harness, owner, id);
    const result = await changeTier(owner, id, 'other');
    expect(result).toMatchObject({ action: 'changed', subscription: { tierCode: 'other' } });
    expect(result.subscription?.currentPeriodEnd).toEqual(before?.currentPeriodEnd);
  });

  it.each(['free', 'pro'])('to the tier already applied, %s, changes nothing', async (tierCode) => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    if (tierCode === 'pro') await buy(harness, owner, id, 'pro');
    const before = (await changes(owner)).length;
    expect((await changeTier(owner, id, tierCode)).action).toBe('unchanged');
    expect(await changes(owner)).toHaveLength(before);
  });

  // One row of SPEC "Tier-change errors" each, with its own message.
  it.each<[number, string, string, string]>([
    [400, 'paygo subscriptions do not support tier changes', 'paygo', 'pro'],
    [402, 'no payment method on file', 'free', 'pro'],
    [404, 'tier not found', 'free', 'nothing'],
    [409, 'tier has no billing pricing configured', 'free', 'unpriced'],
    [409, 'subscription is scheduled for cancellation', 'pro, ending', 'max'],
    [409, 'paid subscriptions can only return to the project default tier', 'pro', 'other'],
  ])('is refused %s: %s', async (status, message, from, to) => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, from.startsWith('pro') ? 'free' : from);
    const processorId = from.startsWith('pro') ? await buy(harness, owner, id, 'pro') : '';
    if (from.includes('ending')) {
      // Scheduled at the processor, whose notice is still on its way: its word counts at once.
      harness.processor.notices.hold();
      await harness.stripe.subscriptions.update(processorId, { cancel_at_period_end: true });
    }
    const before = await stateOf(owner, id);
    await expect(changeTier(owner, id, to)).rejects.toMatchObject({ status, message });
    expect(await stateOf(owner, id)).toBe(before);
  });

  it('points from free to pay-as-you-go elsewhere, and from none to nowhere', async () => {
    const owner = await project();
    await expect(changeTier(owner, await makeCustomer(harness, owner, 'free'), 'paygo')).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/mint/),
    });
    await expect(changeTier(owner, await makeCustomer(harness, owner), 'free')).rejects.toMatchObject({ status: 404 });
  });

  it('that the card does not pay for leaves everything as it was: 402', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'trial', 'pm_card_chargeCustomerFail');
    await harness.pass({ days: 15 });
    await expect(changeTier(owner, id, 'max')).rejects.toMatchObject({ status: 402 });
    expect(await stateOf(owner, id)).toBe('trial past_due');
    const processorId = (await findSubscription(harness, owner, id))?.billingSubscriptionId ?? '';
    harness.processor.setSubscriptionStatus(processorId, 'canceled');
    await harness.settled();
    await expect(changeTier(owner, id, 'max')).rejects.toMatchObject({ status: 402 });
    expect(await stateOf(owner, id)).toBe('free active');
  });

  it('asked for many times at once buys once', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), 'canceled');
    await harness.settled();
    const other = await harness.replica();
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) =>
        (i % 2 ? other.payments : harness.payments).changeTier({ customerId: id, tierCode: 'max' }, callAs(owner)),
      ),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    await harness.settled();
    const customer = (await findSubscription(harness, owner, id))?.billingCustomerId ?? '';
    expect((await harness.stripe.subscriptions.list({ customer })).data).toHaveLength(1);
    expect(await stateOf(owner, id)).toBe('max active');
  });

  it('that another one has overtaken after its own decision buys nothing', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), 'canceled');
    await harness.settled();
    const card = harness.processor.faults.pause(/GET \/v1\/customers\/[^/]+$/);
    const slow = changeTier(owner, id, 'max');
    slow.catch(() => undefined);
    await card.reached;
    expect((await changeTier(owner, id, 'twin')).action).toBe('upgraded');
    card.release();
    await expect(slow).rejects.toMatchObject({ status: 409, retryable: true });
    await harness.settled();
    const customer = (await findSubscription(harness, owner, id))?.billingCustomerId ?? '';
    expect((await harness.stripe.subscriptions.list({ customer })).data).toHaveLength(1);
    expect(await stateOf(owner, id)).toBe('twin active');
  });

  it('whose answer was lost on the way is found again, and is not bought a second time', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), 'canceled');
    await harness.settled();
    harness.processor.notices.hold();
    harness.processor.faults.cut(/POST \/v1\/subscriptions$/, 'after', 2);
    await expect(changeTier(owner, id, 'max')).rejects.toMatchObject({ status: 503 });
    await expect(changeTier(owner, id, 'max')).rejects.toMatchObject({ status: 409, retryable: true });
    harness.clock.advance({ minutes: 3 });
    await waitUntil(async () => (await stateOf(owner, id)) === 'max active', {
      what: 'the purchase to be found',
      timeoutMs: 20_000,
    });
    const customer = (await findSubscription(harness, owner, id))?.billingCustomerId ?? '';
    expect((await harness.stripe.subscriptions.list({ customer })).data).toHaveLength(1);
  });
});

describe('cancelling', () => {
  it('a paid subscription ends it with its period, however often it is asked', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'pro');
    for (let i = 0; i < 2; i += 1) await harness.payments.cancelSubscription({ customerId: id }, callAs(owner));
    await harness.settled();
    expect(await stateOf(owner, id)).toBe('pro active');
    await harness.pass({ days: 32 });
    expect(await stateOf(owner, id)).toBe('free active');
  });

  it('any other ends with its period as well', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'paygo');
    await harness.payments.cancelSubscription({ customerId: id }, callAs(owner));
    expect(await stateOf(owner, id)).toBe('paygo active');
    const replica = await harness.ledger.replicaNetwork();
    await replica.close();
    harness.clock.advance({ days: 32 });
    await harness.replica(); // a replica that starts looks at once
    await waitUntil(async () => (await stateOf(owner, id)) === 'free active', { what: 'the end', timeoutMs: 20_000 });
  });

  it.each(['other', 'max'])('is not undone by a change of tiers to %s: 409', async (to) => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await harness.payments.cancelSubscription({ customerId: id }, callAs(owner));
    await expect(changeTier(owner, id, to)).rejects.toMatchObject({
      status: 409,
      message: 'subscription is scheduled for cancellation',
    });
    expect((await changeTier(owner, id, 'free')).action).toBe('unchanged');
  });

  it('is refused where there is nothing to cancel', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner);
    await expect(harness.payments.cancelSubscription({ customerId: id }, callAs(owner))).rejects.toMatchObject({
      status: 404,
    });
  });
});

it.each<[string, object | undefined]>([
  ['of a free tier', undefined],
  ['billed elsewhere, under an id of its own', { billingProvider: 'external', billingSubscriptionId: 'ext_1' }],
])('periods that no processor renews roll over, and say so: %s', async (_, external) => {
  const owner = await project();
  const id = await makeCustomer(harness, owner, external ? undefined : 'free');
  if (external) await harness.billing.setSubscription({ customerId: id, tierCode: 'free', ...external }, callAs(owner));
  const first = await findSubscription(harness, owner, id);
  const before = (await changes(owner)).length;
  harness.clock.advance({ days: 70 });
  await harness.replica();
  const hasRolled = async () => {
    const now = await findSubscription(harness, owner, id);
    return timestampMs(now!.currentPeriodEnd!) > harness.clock.nowMs();
  };
  await waitUntil(hasRolled, { what: 'the period to roll over', timeoutMs: 20_000 });
  const rolled = await findSubscription(harness, owner, id);
  expect(timestampMs(rolled!.currentPeriodStart!)).toBeGreaterThan(timestampMs(first!.currentPeriodEnd!));
  expect((await changes(owner)).length).toBe(before + 1);
});
