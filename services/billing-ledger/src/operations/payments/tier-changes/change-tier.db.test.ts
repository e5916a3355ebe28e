import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { AppError } from '@tollgate/errors';
import { waitUntil } from '@tollgate/testkit';
import { callAs } from '../../../testing/ledger-harness.js';
import { buy, findSubscription, makeCustomer, makeTier, URLS } from '../../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('change_tier');
const { project, changes, changeTier, checkout, readState } = subscriptionActions(harness);

describe('a tier change', () => {
  /** Advances to the middle of the period, so that proration is half of the price difference. */
  async function passHalfPeriod(processorId: string): Promise<void> {
    const item = (await harness.stripe.subscriptions.retrieve(processorId)).items.data[0];
    await harness.pass({ seconds: ((item?.current_period_end ?? 0) - (item?.current_period_start ?? 0)) / 2 });
  }

  it.each([
    ['max', 'upgraded'],
    ['twin', 'changed'],
  ])('changes the price of the running subscription from paid to paid %s: %s', async (to, action) => {
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
    expect(await readState(owner, id)).toBe(`${to} active`);
  });

  it('upgrades with proration, paid immediately', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const processorId = await buy(harness, owner, id, 'pro');
    await passHalfPeriod(processorId);
    await changeTier(owner, id, 'max');
    const { latest_invoice } = await harness.stripe.subscriptions.retrieve(processorId, { expand: ['latest_invoice'] });
    expect(latest_invoice).toMatchObject({ billing_reason: 'subscription_update', total: 3_500, amount_paid: 3_500 });
  });

  it('downgrades with proration, settled with the next invoice', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const processorId = await buy(harness, owner, id, 'max');
    await passHalfPeriod(processorId);
    expect((await changeTier(owner, id, 'pro')).action).toBe('downgraded');
    await passHalfPeriod(processorId);
    await harness.pass({ days: 10 });
    const { latest_invoice } = await harness.stripe.subscriptions.retrieve(processorId, { expand: ['latest_invoice'] });
    expect(latest_invoice).toMatchObject({ billing_reason: 'subscription_cycle', total: 2_000 - 3_500 });
    expect(await readState(owner, id)).toBe('pro active');
  });

  it('pays with the card on file when a free tier changes to a paid one', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), 'canceled');
    await harness.settled();
    expect(await readState(owner, id)).toBe('free active');
    const result = await changeTier(owner, id, 'max');
    expect(result).toMatchObject({
      action: 'upgraded',
      subscription: { tierCode: 'max', subscriptionStatus: 'active' },
    });
    await harness.settled();
    expect(await readState(owner, id)).toBe('max active');
  });

  it('moves from paid to the default tier at the period’s end, on the webhook event', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'pro');
    const result = await changeTier(owner, id, 'free');
    expect(result).toMatchObject({ action: 'scheduled_cancellation', subscription: { tierCode: 'pro' } });
    await harness.settled();
    expect(await readState(owner, id)).toBe('pro active');
    await harness.pass({ days: 32 });
    expect(await readState(owner, id)).toBe('free active');
  });

  it('changes from free to free locally, in the same window', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const before = await findSubscription(harness, owner, id);
    const result = await changeTier(owner, id, 'other');
    expect(result).toMatchObject({ action: 'changed', subscription: { tierCode: 'other' } });
    expect(result.subscription?.currentPeriodEnd).toEqual(before?.currentPeriodEnd);
  });

  it.each(['free', 'pro'])('changes nothing for the current tier %s', async (tierCode) => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    if (tierCode === 'pro') await buy(harness, owner, id, 'pro');
    const before = (await changes(owner)).length;
    expect((await changeTier(owner, id, tierCode)).action).toBe('unchanged');
    expect(await changes(owner)).toHaveLength(before);
  });

  // One row of SPEC "Tier-change errors" each, with its message.
  it.each<[number, string, string, string]>([
    [400, 'paygo subscriptions do not support tier changes', 'paygo', 'pro'],
    [402, 'no payment method on file', 'free', 'pro'],
    [404, 'tier not found', 'free', 'nothing'],
    [409, 'tier has no billing pricing configured', 'free', 'unpriced'],
    [409, 'subscription is scheduled for cancellation', 'pro, ending', 'max'],
    [409, 'paid subscriptions can only return to the project default tier', 'pro', 'other'],
  ])('answers %s and leaves the subscription unchanged: %s', async (status, message, from, to) => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, from.startsWith('pro') ? 'free' : from);
    const processorId = from.startsWith('pro') ? await buy(harness, owner, id, 'pro') : '';
    if (from.includes('ending')) {
      // Scheduled at the processor, whose webhook event has not arrived: its state counts immediately.
      harness.processor.webhooks.hold();
      await harness.stripe.subscriptions.update(processorId, { cancel_at_period_end: true });
    }
    const before = await readState(owner, id);
    await expect(changeTier(owner, id, to)).rejects.toMatchObject({
      status,
      message: expect.stringContaining(message),
    });
    expect(await readState(owner, id)).toBe(before);
  });

  it('refuses pay-as-you-go with a hint and customers without a subscription', async () => {
    const owner = await project();
    await expect(changeTier(owner, await makeCustomer(harness, owner, 'free'), 'paygo')).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(/mint/),
    });
    await expect(changeTier(owner, await makeCustomer(harness, owner), 'free')).rejects.toMatchObject({ status: 404 });
  });

  it('answers 402 and changes nothing when the card is declined', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'trial', 'pm_card_chargeCustomerFail');
    await harness.pass({ days: 15 });
    await expect(changeTier(owner, id, 'max')).rejects.toMatchObject({ status: 402 });
    expect(await readState(owner, id)).toBe('trial past_due');
    const processorId = (await findSubscription(harness, owner, id))?.billingSubscriptionId ?? '';
    harness.processor.setSubscriptionStatus(processorId, 'canceled');
    await harness.settled();
    await expect(changeTier(owner, id, 'max')).rejects.toMatchObject({ status: 402 });
    expect(await readState(owner, id)).toBe('free active');
  });

  it('creates one subscription for many concurrent requests', async () => {
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
    expect(await readState(owner, id)).toBe('max active');
  });

  it('creates no second subscription when another change overtakes it after its decision', async () => {
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
    expect(await readState(owner, id)).toBe('twin active');
  });

  it('finds a purchase whose response was lost and does not buy again', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), 'canceled');
    await harness.settled();
    harness.processor.webhooks.hold();
    harness.processor.faults.cut(/POST \/v1\/subscriptions$/, 'after', 2);
    await expect(changeTier(owner, id, 'max')).rejects.toMatchObject({ status: 503 });
    await expect(changeTier(owner, id, 'max')).rejects.toMatchObject({ status: 409, retryable: true });
    harness.clock.advance({ minutes: 3 });
    await waitUntil(async () => (await readState(owner, id)) === 'max active', {
      what: 'the purchase to be found',
    });
    const customer = (await findSubscription(harness, owner, id))?.billingCustomerId ?? '';
    expect((await harness.stripe.subscriptions.list({ customer })).data).toHaveLength(1);
  });
});

/** Adds an item to a subscription in the processor's dashboard; it is listed before the plan. */
async function addItem(subscriptionId: string, unit_amount = 500): Promise<string> {
  const price = await harness.stripe.prices.create({
    currency: 'usd',
    unit_amount,
    recurring: { interval: 'month' },
    product_data: { name: 'an extra' },
  });
  await harness.stripe.subscriptions.update(subscriptionId, { items: [{ price: price.id }] });
  await harness.settled();
  return price.id;
}

async function readItems(subscriptionId: string): Promise<string[]> {
  return (await harness.stripe.subscriptions.retrieve(subscriptionId)).items.data.map(({ price }) => price.id);
}

async function findPrice(owner: Principal, tierCode: string): Promise<string> {
  const { tiers } = await harness.billing.listTiers({}, callAs(owner));
  return tiers.find((tier) => tier.tierCode === tierCode)?.billingPriceRef ?? '';
}

describe('a subscription with other items', () => {
  it('changes the price of the plan and keeps the other items', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const subscription = await buy(harness, owner, id, 'pro');
    const extra = await addItem(subscription);
    const req = { customerId: id, tierCode: 'max' };
    expect(await harness.payments.previewTierChange(req, callAs(owner))).toMatchObject({ action: 'upgraded' });
    await changeTier(owner, id, 'max');
    expect(await readItems(subscription)).toEqual([extra, await findPrice(owner, 'max')]);
    expect(await findSubscription(harness, owner, id)).toMatchObject({ tierCode: 'max', priceAmountCents: 9_000n });
  });

  it('follows the plan when the dashboard moves it', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const subscription = await buy(harness, owner, id, 'pro');
    await addItem(subscription);
    const items = (await harness.stripe.subscriptions.retrieve(subscription)).items.data;
    await harness.stripe.subscriptions.update(subscription, {
      items: [{ id: items[1]?.id ?? '', price: await findPrice(owner, 'max') }],
    });
    await harness.settled();
    expect(await readState(owner, id)).toBe('max active');
  });
});

describe('a tier with a new price', () => {
  /** Raises the price of a tier, with a new price at the processor. */
  async function raisePrice(owner: Principal, tierCode: string, unit_amount: number): Promise<void> {
    const recurring = { interval: 'month' as const };
    const price = await harness.stripe.prices.create({
      currency: 'usd',
      unit_amount,
      recurring,
      product_data: { name: 'a tier' },
    });
    const { tiers } = await harness.billing.listTiers({}, callAs(owner));
    const id = tiers.find((tier) => tier.tierCode === tierCode)?.id ?? '';
    const values = { billingPriceRef: price.id, priceAmountCents: BigInt(unit_amount) };
    const updateMask = ['billing_price_ref', 'price_amount_cents'];
    await harness.billing.updateTier({ id, values, updateMask }, callAs(owner));
  }

  it('leaves existing subscriptions at theirs, in the record and in comparisons', async () => {
    const owner = await project();
    await makeTier(harness, owner, { tierCode: 'mid', priceCents: 2_500 });
    const id = await makeCustomer(harness, owner, 'free');
    const subscription = await buy(harness, owner, id, 'pro');
    await raisePrice(owner, 'pro', 3_000);
    await harness.pass({ days: 40 });
    expect(await findSubscription(harness, owner, id)).toMatchObject({ tierCode: 'pro', priceAmountCents: 2_000n });
    expect((await changeTier(owner, id, 'pro')).action).toBe('unchanged');
    const preview = await harness.payments.previewTierChange({ customerId: id, tierCode: 'mid' }, callAs(owner));
    expect(preview).toMatchObject({ action: 'upgraded' });
    expect(preview.dueNowCents).toBeGreaterThan(0n);
    const { action, subscription: changed } = await changeTier(owner, id, 'mid');
    expect([action, changed?.priceAmountCents]).toEqual(['upgraded', 2_500n]);
    const { latest_invoice } = await harness.stripe.subscriptions.retrieve(subscription, {
      expand: ['latest_invoice'],
    });
    expect(latest_invoice).toMatchObject({ billing_reason: 'subscription_update', status: 'paid' });
    const other = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, other, 'pro');
    expect(await findSubscription(harness, owner, other)).toMatchObject({ priceAmountCents: 3_000n });
  });

  it('leaves a subscription that the owner bills at its price, until the tier changes', async () => {
    const owner = await project();
    await makeTier(harness, owner, { tierCode: 'ext', priceCents: 900, billingProvider: 'external' });
    const id = await makeCustomer(harness, owner);
    const set = async (tierCode: string) =>
      (await harness.billing.setSubscription({ customerId: id, tierCode }, callAs(owner))).subscription;
    expect(await set('ext')).toMatchObject({ priceAmountCents: 900n });
    const { tiers } = await harness.billing.listTiers({}, callAs(owner));
    const tier = tiers.find(({ tierCode }) => tierCode === 'ext')?.id ?? '';
    const values = { priceAmountCents: 1_100n };
    await harness.billing.updateTier({ id: tier, values, updateMask: ['price_amount_cents'] }, callAs(owner));
    expect(await set('ext')).toMatchObject({ priceAmountCents: 900n });
    await set('free');
    expect(await set('ext')).toMatchObject({ priceAmountCents: 1_100n });
  });
});

describe('a change that the processor would refuse', () => {
  it('answers 409 with the reason for a tier in another currency', async () => {
    const owner = await project();
    await makeTier(harness, owner, { tierCode: 'euro', priceCents: 9_000, currency: 'eur' });
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'pro');
    await expect(changeTier(owner, id, 'euro')).rejects.toMatchObject({
      status: 409,
      retryable: false,
      message: expect.stringMatching(/paid in usd and the tier in eur/),
    });
    expect(await readState(owner, id)).toBe('pro active');
  });

  it('answers 409 with the processor’s reason for every other refusal', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'pro');
    harness.processor.faults.refuse(/POST \/v1\/subscriptions\/sub_/, 'The subscription has a schedule.');
    await expect(changeTier(owner, id, 'max')).rejects.toMatchObject({
      status: 409,
      retryable: false,
      message: 'the payment processor refused the request: The subscription has a schedule.',
    });
    expect(await readState(owner, id)).toBe('pro active');
  });
});

describe('a customer that was deleted at the processor', () => {
  it('gets another one with the next purchase', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'pro');
    const before = (await findSubscription(harness, owner, id))?.billingCustomerId ?? '';
    await harness.stripe.customers.del(before);
    await harness.settled();
    expect(await readState(owner, id)).toBe('free active');
    await expect(changeTier(owner, id, 'max')).rejects.toMatchObject({ status: 402 });
    await Promise.all([buy(harness, owner, id, 'max'), checkout(owner, id, 'max')]);
    expect(await findSubscription(harness, owner, id)).toMatchObject({
      tierCode: 'max',
      billingCustomerId: expect.not.stringMatching(before),
    });
    const topUp = { customerId: await makeCustomer(harness, owner, 'paygo'), creditAmountCents: 900n, ...URLS };
    const known = (await harness.payments.createWalletTopUp(topUp, callAs(owner))).topUp?.sessionId ?? '';
    await harness.stripe.customers.del(String(harness.processor.store.get('checkout.session', known)?.customer));
    const again = (await harness.payments.createWalletTopUp(topUp, callAs(owner))).topUp?.sessionId ?? '';
    expect(harness.processor.pay(again)).toMatchObject({ status: 'complete' });
  });
});

describe('a card that is refused', () => {
  /** Uses the processor's page, as a browser does. */
  async function usePage(url: string | undefined, form: Record<string, string>): Promise<Response> {
    const response = await fetch(url ?? '', { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
    await harness.settled();
    return response;
  }

  it.each(['pm_card_authenticationRequired', 'pm_card_chargeCustomerFail'])(
    'returns the processor’s page for an upgrade, which then succeeds: %s',
    async (card) => {
      const owner = await project();
      const id = await makeCustomer(harness, owner, 'free');
      await buy(harness, owner, id, 'trial', card);
      const upgrade = () => changeTier(owner, id, 'proy');
      await makeTier(harness, owner, { tierCode: 'proy', priceCents: 20_000, interval: 'year' });
      await harness.pass({ days: 15 });
      const refused = (await upgrade().catch((error: unknown) => error)) as AppError;
      expect(refused).toMatchObject({ status: 402, actionUrl: expect.stringMatching(harness.processor.baseUrl) });
      expect((await usePage(refused.actionUrl, { do: 'card', card: 'pm_card_chargeDeclined' })).status).toBe(402);
      expect((await usePage(refused.actionUrl, { do: 'card', card: 'pm_card_visa' })).status).toBe(200);
      expect(await readState(owner, id)).toBe('trial active');
      expect((await upgrade()).action).toBe('upgraded');
    },
  );

  it('returns the processor’s page for a purchase with the card on file', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const subscription = await buy(harness, owner, id, 'trial', 'pm_card_authenticationRequired');
    harness.processor.setSubscriptionStatus(subscription, 'canceled');
    await harness.settled();
    const refused = (await changeTier(owner, id, 'max').catch((error: unknown) => error)) as AppError;
    expect(refused).toMatchObject({ status: 402, actionUrl: expect.stringMatching(harness.processor.baseUrl) });
    await usePage(refused.actionUrl, { do: 'card', card: 'pm_card_visa' });
    expect((await changeTier(owner, id, 'max')).action).toBe('upgraded');
  });

  it.each(['past_due', 'unpaid'] as const)(
    'returns the processor’s page instead of a checkout while %s',
    async (status) => {
      const owner = await project();
      const id = await makeCustomer(harness, owner, 'free');
      harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), status);
      await harness.settled();
      const { url } = await checkout(owner, id, 'max');
      expect((await usePage(url, { do: 'return' })).headers.get('location')).toBe(URLS.successUrl);
      await usePage(url, { do: 'card', card: 'pm_card_mastercard' });
      expect(await readState(owner, id)).toBe('pro active');
      await expect(checkout(owner, id, 'max')).rejects.toMatchObject({ status: 409 });
    },
  );

  it('answers 402 without a page when the processor offers none', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'trial', 'pm_card_chargeCustomerFail');
    await harness.pass({ days: 15 });
    harness.processor.faults.refuse(/POST \/v1\/billing_portal/, 'No configuration provided.');
    await expect(changeTier(owner, id, 'max')).rejects.toMatchObject({ status: 402, actionUrl: undefined });
  });
});

describe('a scheduled cancellation', () => {
  const cancelAt = async (owner: Principal, id: string) => (await findSubscription(harness, owner, id))?.cancelAt;

  it('shows when it ends the subscription, until it is taken back or has ended', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const subscription = await buy(harness, owner, id, 'pro');
    expect(await cancelAt(owner, id)).toBeUndefined();
    const { subscription: changed } = await changeTier(owner, id, 'free');
    expect(changed?.cancelAt).toEqual(changed?.currentPeriodEnd);
    await harness.stripe.subscriptions.update(subscription, { cancel_at_period_end: false });
    await harness.settled();
    expect(await cancelAt(owner, id)).toBeUndefined();
    await harness.payments.cancelSubscription({ customerId: id }, callAs(owner));
    expect(await cancelAt(owner, id)).toEqual(changed?.currentPeriodEnd);
    await harness.pass({ days: 40 });
    expect(await readState(owner, id)).toBe('free active');
    expect(await cancelAt(owner, id)).toBeUndefined();
  });

  it('shows it for a subscription that the processor does not bill', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'paygo');
    await harness.payments.cancelSubscription({ customerId: id }, callAs(owner));
    const { cancelAt: end, currentPeriodEnd } = (await findSubscription(harness, owner, id)) ?? {};
    expect(end).toEqual(currentPeriodEnd);
  });
});
