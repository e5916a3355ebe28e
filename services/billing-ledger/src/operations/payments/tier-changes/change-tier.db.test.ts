import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { callAs } from '../../../testing/ledger-harness.js';
import { buy, findSubscription, makeCustomer } from '../../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('change_tier');
const { project, changes, changeTier, readState } = subscriptionActions(harness);

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
    await expect(changeTier(owner, id, to)).rejects.toMatchObject({ status, message });
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
