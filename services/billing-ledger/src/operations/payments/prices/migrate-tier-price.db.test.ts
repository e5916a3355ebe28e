import { timestampMs } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { waitUntil } from '@tollgate/testkit';
import { callAs, ECHO, ownerPrincipal } from '../../../testing/ledger-harness.js';
import { buy, findSubscription, makeCustomer, makeTier } from '../../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('migrate_tier_price');
const { changeTier } = subscriptionActions(harness);

/** A project with a paid tier whose price is raised from 20 to 25 dollars after `count` customers have bought it. */
async function raisePrice(count: number): Promise<{ owner: Principal; tierId: string; customers: string[] }> {
  const owner = ownerPrincipal();
  await makeTier(harness, owner, { tierCode: 'free', isDefault: true });
  const pro = { tierCode: 'pro', displayName: 'Pro', models: [{ modelId: ECHO, isDefault: true }] };
  const { tier } = await harness.billing.createTier({ ...pro, priceAmountCents: 2_000n }, callAs(owner));
  const customers: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const id = await makeCustomer(harness, owner, 'free');
    await buy(harness, owner, id, 'pro');
    customers.push(id);
  }
  const tierId = tier?.id ?? '';
  await setPrice(owner, tierId, 2_500n);
  return { owner, tierId, customers };
}

async function setPrice(owner: Principal, id: string, priceAmountCents: bigint): Promise<void> {
  await harness.billing.updateTier(
    { id, values: { priceAmountCents }, updateMask: ['price_amount_cents'] },
    callAs(owner),
  );
}

const migrate = (owner: Principal, tierId: string, preview = false) =>
  harness.payments.migrateTierPrice({ tierId, preview }, callAs(owner));

const readPrice = async (owner: Principal, id: string) =>
  (await findSubscription(harness, owner, id))?.priceAmountCents;

/** Advances the clock to a number of minutes before the end of the customer's period. */
async function passUntil(owner: Principal, customerId: string, minutesBefore: number): Promise<void> {
  const end = timestampMs((await findSubscription(harness, owner, customerId))!.currentPeriodEnd!);
  await harness.pass({ minutes: Math.ceil((end - harness.clock.nowMs()) / 60_000) - minutesBefore });
}

const isScheduled = async () => {
  const { rows } = await harness.ledger.database.pool.query(
    'SELECT 1 FROM processor_subscriptions WHERE next_price_at IS NOT NULL',
  );
  return rows.length > 0;
};

const lastInvoice = (owner: Principal, id: string) =>
  findSubscription(harness, owner, id).then((subscription) =>
    harness.processor.store
      .all('invoice')
      .filter(({ parent }) => parent.subscription_details.subscription === subscription?.billingSubscriptionId)
      .at(-1),
  );

describe('the migration of a price', () => {
  it('shows how many subscribers would pay what, and changes nothing', async () => {
    const { owner, tierId } = await raisePrice(2);
    expect(await migrate(owner, tierId, true)).toMatchObject({
      subscriptions: 2n,
      beforeCents: 4_000n,
      afterCents: 5_000n,
      currency: 'usd',
      interval: 'month',
    });
    expect(await isScheduled()).toBe(false);
  });

  it('counts and moves no subscribers who cancel, have ended, or pay in another currency or interval', async () => {
    const { owner, tierId, customers } = await raisePrice(3);
    const [leaver = '', gone = ''] = customers;
    await changeTier(owner, leaver, 'free');
    const ended = await findSubscription(harness, owner, gone);
    harness.processor.setSubscriptionStatus(ended?.billingSubscriptionId ?? '', 'canceled');
    await harness.settled();
    for (const preview of [true, false])
      expect(await migrate(owner, tierId, preview)).toMatchObject({ subscriptions: 1n, beforeCents: 2_000n });
    const values = { priceAmountCents: 2_500n, priceCurrency: 'eur' };
    for (const change of [values, { ...values, priceCurrency: 'usd', priceInterval: 'year' }]) {
      const updateMask = ['price_amount_cents', 'price_currency', 'price_interval'];
      await harness.billing.updateTier({ id: tierId, values: change, updateMask }, callAs(owner));
      for (const preview of [true, false])
        expect(await migrate(owner, tierId, preview)).toMatchObject({ subscriptions: 0n, beforeCents: 0n });
    }
  });

  it('charges the new price with the next renewal, and nothing before', async () => {
    const { owner, tierId, customers } = await raisePrice(1);
    const [id = ''] = customers;
    expect(await migrate(owner, tierId)).toMatchObject({ subscriptions: 1n });
    await migrate(owner, tierId);
    const invoices = harness.processor.store.all('invoice').length;
    await passUntil(owner, id, 120);
    expect(await readPrice(owner, id)).toBe(2_000n);
    await passUntil(owner, id, 30);
    await waitUntil(async () => (await readPrice(owner, id)) === 2_500n, { what: 'the next price' });
    expect(harness.processor.store.all('invoice')).toHaveLength(invoices);
    await passUntil(owner, id, -60);
    expect(await lastInvoice(owner, id)).toMatchObject({ amount_paid: 2_500 });
    await waitUntil(async () => !(await isScheduled()), { what: 'the end of the migration' });
    expect(await migrate(owner, tierId)).toMatchObject({ subscriptions: 0n, beforeCents: 0n });
  });

  it('repeats a call that got no answer', async () => {
    const { owner, tierId, customers } = await raisePrice(1);
    const [id = ''] = customers;
    await migrate(owner, tierId);
    harness.processor.faults.cut(/POST \/v1\/subscriptions\/\w+$/, 'before', 2);
    await passUntil(owner, id, 50);
    await waitUntil(
      async () => {
        harness.clock.advance({ minutes: 1 });
        return (await readPrice(owner, id)) === 2_500n;
      },
      { what: 'the next price' },
    );
  });

  it('waits for another renewal when this one was missed', async () => {
    const { owner, tierId, customers } = await raisePrice(1);
    const [id = ''] = customers;
    await migrate(owner, tierId);
    await passUntil(owner, id, -180);
    expect(await lastInvoice(owner, id)).toMatchObject({ amount_paid: 2_000 });
    await passUntil(owner, id, 30);
    await waitUntil(async () => (await readPrice(owner, id)) === 2_500n, { what: 'the next price' });
  });

  it('keeps a later price that is scheduled while an earlier one is sent', async () => {
    const { owner, tierId, customers } = await raisePrice(1);
    const [id = ''] = customers;
    await migrate(owner, tierId);
    const sending = harness.processor.faults.pause(/POST \/v1\/subscriptions\/\w+$/);
    await passUntil(owner, id, 30);
    await sending.reached;
    await setPrice(owner, tierId, 3_000n);
    expect(await migrate(owner, tierId)).toMatchObject({ subscriptions: 1n });
    sending.release();
    await waitUntil(async () => (await readPrice(owner, id)) === 3_000n, { what: 'the later price' });
  });

  it('leaves out subscribers who move to another tier, cancel, or whose tier gets another price', async () => {
    const { owner, tierId, customers } = await raisePrice(3);
    const [mover = '', leaver = '', keeper = ''] = customers;
    await makeTier(harness, owner, { tierCode: 'max', priceCents: 9_000 });
    await migrate(owner, tierId);
    await changeTier(owner, mover, 'max');
    await changeTier(owner, leaver, 'free');
    await setPrice(owner, tierId, 3_000n);
    await passUntil(owner, keeper, 30);
    await waitUntil(async () => !(await isScheduled()), { what: 'the end of the migration' });
    expect(await Promise.all(customers.map((id) => readPrice(owner, id)))).toEqual([9_000n, 2_000n, 2_000n]);
  });

  it('leaves the price of a subscriber who cancels after the migration', async () => {
    const { owner, tierId, customers } = await raisePrice(1);
    const [id = ''] = customers;
    await migrate(owner, tierId);
    await changeTier(owner, id, 'free');
    await passUntil(owner, id, 30);
    await waitUntil(async () => !(await isScheduled()), { what: 'the end of the migration' });
    expect(await readPrice(owner, id)).toBe(2_000n);
  });

  it('refuses a tier that the processor does not charge, and another project', async () => {
    const { owner, tierId } = await raisePrice(0);
    const free = await harness.billing.getTier({ by: { case: 'tierCode', value: 'free' } }, callAs(owner));
    await expect(migrate(owner, free.tier?.id ?? '')).rejects.toMatchObject({ status: 409 });
    await expect(migrate(ownerPrincipal(), tierId)).rejects.toMatchObject({ status: 404 });
  });
});
