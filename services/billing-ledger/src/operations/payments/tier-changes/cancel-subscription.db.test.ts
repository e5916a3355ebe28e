import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { callAs } from '../../../testing/ledger-harness.js';
import { buy, makeCustomer } from '../../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('cancel_subscription');
const { project, changeTier, readState } = subscriptionActions(harness);

describe('cancelSubscription', () => {
  it('ends a paid subscription at its period’s end, idempotently', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'pro');
    for (let i = 0; i < 2; i += 1) await harness.payments.cancelSubscription({ customerId: id }, callAs(owner));
    await harness.settled();
    expect(await readState(owner, id)).toBe('pro active');
    await harness.pass({ days: 32 });
    expect(await readState(owner, id)).toBe('free active');
  });

  it('ends any other subscription at its period’s end', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'paygo');
    await harness.payments.cancelSubscription({ customerId: id }, callAs(owner));
    expect(await readState(owner, id)).toBe('paygo active');
    const replica = await harness.ledger.replicaNetwork();
    await replica.close();
    harness.clock.advance({ days: 32 });
    await harness.replica(); // a replica that starts looks at once
    await waitUntil(async () => (await readState(owner, id)) === 'free active', { what: 'the end' });
  });

  it.each(['other', 'max'])('answers 409 to a tier change to %s afterwards', async (to) => {
    const owner = await project();
    const id = await makeCustomer(harness, owner, 'free');
    await harness.payments.cancelSubscription({ customerId: id }, callAs(owner));
    await expect(changeTier(owner, id, to)).rejects.toMatchObject({
      status: 409,
      message: 'subscription is scheduled for cancellation',
    });
    expect((await changeTier(owner, id, 'free')).action).toBe('unchanged');
  });

  it('refuses customers without a subscription', async () => {
    const owner = await project();
    const id = await makeCustomer(harness, owner);
    await expect(harness.payments.cancelSubscription({ customerId: id }, callAs(owner))).rejects.toMatchObject({
      status: 404,
    });
  });
});
