import { timestampMs } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { eventTypes } from '@tollgate/events';
import { callAs, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { buy, findSubscription, makeCustomer, makeTier, URLS } from '../../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('create_checkout');
const { project, changes, changeTier, checkout, readState } = subscriptionActions(harness);

describe('a checkout', () => {
  it('links the subscription with the processor’s ids and period and emits one event', async () => {
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

  it('starts with the tier’s trial, once per customer', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'trial');
    const subscription = await findSubscription(harness, owner, id);
    expect(subscription?.subscriptionStatus).toBe('trialing');
    expect(timestampMs(subscription!.currentPeriodEnd!) - harness.clock.nowMs()).toBe(14 * 86_400_000);
    await harness.pass({ days: 14 });
    expect(await readState(owner, id)).toBe('trial active');
    harness.processor.setSubscriptionStatus(subscription!.billingSubscriptionId, 'canceled');
    await harness.settled();
    await buy(harness, owner, id, 'trial');
    expect(await readState(owner, id)).toBe('trial active');
  });

  it('creates a customer with the email that the processor collected', async () => {
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
    ['an invalid address', { tierCode: 'pro', cancelUrl: 'shop' }, 'VALIDATION_ERROR', 'cancel_url must be'],
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

  it('refuses another project’s customer, a second subscription, and an unknown price', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await expect(checkout(await project(), id, 'pro')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await buy(harness, owner, id, 'pro');
    await expect(checkout(owner, id, 'max')).rejects.toMatchObject({ code: 'CONFLICT' });
    await makeTier(harness, owner, { tierCode: 'stale', priceCents: 100 });
    await harness.ledger.database.pool.query(
      "UPDATE tiers SET billing_price_ref = 'price_gone' WHERE project_id = $1 AND tier_code = 'stale'",
      [owner.projectId],
    );
    const other = await makeCustomer(harness, owner, 'free');
    await expect(checkout(owner, other, 'stale')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('does not know'),
    });
  });

  it('refuses a customer whose paid tier the owner bills', async () => {
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

  it('refuses projects that bill outside of Tollgate', async () => {
    const owner = ownerPrincipal({ byob: true });
    await expect(checkout(owner, '', 'pro')).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('changes nothing when it is canceled or declined', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const { sessionId } = await checkout(owner, id, 'pro');
    expect(() => harness.processor.pay(sessionId, { card: 'pm_card_chargeDeclined' })).toThrow('declined');
    await harness.settled();
    expect(await readState(owner, id)).toBe('free active');
  });
});

describe('a tier with an open checkout', () => {
  it('refuses to delete the tier until the checkout ends without a payment', async () => {
    const owner = await project();
    await checkout(owner, await makeCustomer(harness, owner, 'free'), 'pro');
    const { tier } = await harness.billing.getTier({ by: { case: 'tierCode', value: 'pro' } }, callAs(owner));
    const remove = () => harness.billing.deleteTier({ id: tier?.id ?? '' }, callAs(owner));
    await expect(remove()).rejects.toMatchObject({ status: 409, message: 'the tier is in use and cannot be deleted' });
    await harness.pass({ hours: 25 });
    await remove();
  });
});
