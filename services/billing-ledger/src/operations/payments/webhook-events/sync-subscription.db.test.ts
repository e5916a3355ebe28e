import { describe, expect, it } from '@jest/globals';
import { eventTypes } from '@tollgate/events';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { buy, findSubscription, makeCustomer, makeTier } from '../../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('sync_subscription');
const { project, checkout, readState } = subscriptionActions(harness);

describe('the processor’s state', () => {
  it.each(['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete'] as const)(
    'applies the state to the record: %s',
    async (status) => {
      const owner = await project();
      const id = await makeCustomer(harness, owner, 'free');
      harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), status);
      await harness.settled();
      expect(await readState(owner, id)).toBe(`pro ${status}`);
    },
  );

  it.each(['canceled', 'incomplete_expired'] as const)(
    'returns the customer to the default tier when the subscription is %s',
    async (status) => {
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
    },
  );

  it('stays canceled in a project without a default tier', async () => {
    const owner = ownerPrincipal();
    await makeTier(harness, owner, { tierCode: 'pro', priceCents: 2_000 });
    const id = await makeCustomer(harness, owner);
    harness.processor.setSubscriptionStatus(await buy(harness, owner, id, 'pro'), 'canceled');
    await harness.settled();
    expect(await readState(owner, id)).toBe('pro canceled');
  });

  it('renews the period and shows a failed payment', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'trial', 'pm_card_chargeCustomerFail');
    const first = await findSubscription(harness, owner, id);
    await harness.pass({ days: 15 });
    const second = await findSubscription(harness, owner, id);
    expect(second?.subscriptionStatus).toBe('past_due');
    expect(second?.currentPeriodStart).toEqual(first?.currentPeriodEnd);
  });

  it('follows a price change at the processor', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const subscription = await harness.stripe.subscriptions.retrieve(await buy(harness, owner, id, 'pro'));
    const { tier } = await harness.billing.getTier({ by: { case: 'tierCode', value: 'max' } }, callAs(owner));
    const items = [{ id: subscription.items.data[0]?.id ?? '', price: tier?.billingPriceRef ?? '' }];
    await harness.stripe.subscriptions.update(subscription.id, { items });
    await harness.settled();
    expect(await readState(owner, id)).toBe('max active');
  });

  it('ignores the state of deleted customers and of foreign subscriptions', async () => {
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

describe('a customer with two subscriptions', () => {
  it('keeps the newer one; the older is canceled at the processor', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const [first, second] = [await checkout(owner, id, 'pro'), await checkout(owner, id, 'max')];
    const older = harness.processor.pay(first.sessionId).subscription ?? '';
    await harness.settled();
    harness.clock.advance({ seconds: 5 });
    const newer = harness.processor.pay(second.sessionId).subscription ?? '';
    await harness.settled();
    await waitUntil(async () => (await harness.stripe.subscriptions.retrieve(older)).status === 'canceled', {
      what: 'the end of the older one',
    });
    expect((await harness.stripe.subscriptions.retrieve(newer)).status).toBe('active');
    expect(await readState(owner, id)).toBe('max active');
  });

  it('returns the payment of the older one if a page was paid after another', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const [first, second] = [await checkout(owner, id, 'pro'), await checkout(owner, id, 'pro')];
    const older = harness.processor.pay(first.sessionId).subscription ?? '';
    await harness.settled();
    harness.clock.advance({ hours: 20 });
    const newer = harness.processor.pay(second.sessionId).subscription ?? '';
    await harness.settled();
    const refunded = () => harness.ledger.events(eventTypes.paymentRefunded, owner.projectId);
    await waitUntil(async () => (await refunded()).length > 0, { what: 'the refund' });
    expect(await refunded()).toMatchObject([{ customerId: id, amountCents: 2_000n, currency: 'usd' }]);
    expect((await harness.stripe.subscriptions.retrieve(older)).status).toBe('canceled');
    expect((await harness.stripe.subscriptions.retrieve(newer)).status).toBe('active');
    expect(await readState(owner, id)).toBe('pro active');
  });
});
