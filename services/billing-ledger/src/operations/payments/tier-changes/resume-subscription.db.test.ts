import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { callAs } from '../../../testing/ledger-harness.js';
import { buy, findSubscription, makeCustomer, makeTier } from '../../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('resume_subscription');
const { project, readState } = subscriptionActions(harness);

const cancel = (owner: Principal, customerId: string) =>
  harness.payments.cancelSubscription({ customerId }, callAs(owner));
const resume = async (owner: Principal, customerId: string) =>
  (await harness.payments.resumeSubscription({ customerId }, callAs(owner))).subscription;

describe('a scheduled cancellation', () => {
  it('continues at the processor when it is taken back, and the next period is paid', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const processorId = await buy(harness, owner, id, 'pro');
    await cancel(owner, id);
    expect((await findSubscription(harness, owner, id))?.cancelAt).toBeDefined();
    expect(await resume(owner, id)).not.toHaveProperty('cancelAt');
    expect(await harness.stripe.subscriptions.retrieve(processorId)).toMatchObject({ cancel_at_period_end: false });
    expect(await resume(owner, id)).toMatchObject({ tierCode: 'pro', subscriptionStatus: 'active' });
    await harness.pass({ days: 32 });
    expect(await readState(owner, id)).toBe('pro active');
  });

  it('ends when the processor knows it by its date only', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const processorId = await buy(harness, owner, id, 'pro');
    const cancelAt = Math.floor(harness.clock.nowMs() / 1_000) + 86_400;
    await harness.stripe.subscriptions.update(processorId, { cancel_at: cancelAt });
    expect(await resume(owner, id)).not.toHaveProperty('cancelAt');
    expect(await harness.stripe.subscriptions.retrieve(processorId)).toMatchObject({ cancel_at: null });
  });

  it('leaves our record where the processor bills nothing', async () => {
    const owner = await project();
    await makeTier(harness, owner, {
      tierCode: 'partner',
      priceCents: 100,
      isUnpriced: true,
      billingProvider: 'external',
    });
    const customerId = await makeCustomer(harness, owner);
    await harness.billing.setSubscription({ customerId, tierCode: 'partner' }, callAs(owner));
    await cancel(owner, customerId);
    expect(await resume(owner, customerId)).not.toHaveProperty('cancelAt');
    await cancel(owner, customerId);
    harness.clock.advance({ days: 32 });
    await expect(resume(owner, customerId)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('has ended'),
    });
  });

  it('refuses to be taken back after the end', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    const processorId = await buy(harness, owner, id, 'pro');
    harness.processor.webhooks.hold();
    harness.processor.setSubscriptionStatus(processorId, 'canceled');
    await expect(resume(owner, id)).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('has ended'),
    });
  });
});

it('answers NOT_FOUND for a customer without a subscription and for another project', async () => {
  const owner = await project();
  await expect(resume(owner, await makeCustomer(harness, owner))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const id = await makeCustomer(harness, owner, 'free');
  await expect(resume(await project(), id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
