import { timestampMs } from '@bufbuild/protobuf/wkt';
import { expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import {
  lockCustomerById,
  putSubscriptionState,
  readSubscriptionState,
  type SubscriptionState,
} from '../../../store/payments/customer-subscriptions.js';
import { callAs } from '../../../testing/ledger-harness.js';
import { findSubscription, makeCustomer } from '../../../testing/payments-harness.js';
import { subscriptionActions, usePayments } from '../../../testing/use-payments.js';

const harness = usePayments('roll_over');
const { project, changes } = subscriptionActions(harness);

it.each<[string, object | undefined]>([
  ['of a free tier', undefined],
  ['billed by the owner, with its own id', { billingProvider: 'external', billingSubscriptionId: 'ext_1' }],
])('rolls over periods that the processor does not renew, with an event: %s', async (_, external) => {
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
  await waitUntil(hasRolled, { what: 'the period to roll over' });
  const rolled = await findSubscription(harness, owner, id);
  expect(timestampMs(rolled!.currentPeriodStart!)).toBeGreaterThan(timestampMs(first!.currentPeriodEnd!));
  expect((await changes(owner)).length).toBe(before + 1);
});

it('keeps a subscription whose scheduled end is withdrawn while its period rolls over', async () => {
  const owner = await project();
  const id = await makeCustomer(harness, owner, 'paygo');
  await harness.payments.cancelSubscription({ customerId: id }, callAs(owner));
  const { pool, schema } = harness.ledger.database;
  const withdrawal = await pool.connect();
  await withdrawal.query('BEGIN');
  await lockCustomerById(withdrawal, id);
  harness.clock.advance({ days: 32 });
  const replica = harness.replica(); // finds the ended period, then waits for the customer's row
  const waiting = `SELECT 1 FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND application_name LIKE $1 || '%' AND query LIKE '%FROM customers%'`;
  await waitUntil(async () => (await pool.query(waiting, [schema])).rowCount, { what: 'the roll-over to wait' });
  await putSubscriptionState(withdrawal, (await readSubscriptionState(withdrawal, id)) as SubscriptionState);
  await withdrawal.query('COMMIT');
  withdrawal.release();
  await replica;
  const rolled = () => findSubscription(harness, owner, id);
  await waitUntil(async () => timestampMs((await rolled())!.currentPeriodEnd!) > harness.clock.nowMs(), {
    what: 'the period to roll over',
  });
  expect(await rolled()).toMatchObject({ tierCode: 'paygo', subscriptionStatus: 'active' });
});
