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

it('rolls over a customer behind more failing ones than one pass reads', async () => {
  const owner = await project();
  const id = await makeCustomer(harness, owner, 'free');
  const { pool } = harness.ledger.database;
  // Rows with a period that ended earlier, whose changes the database refuses.
  await pool.query(
    `CREATE FUNCTION refuse_roll_over() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not possible'; END $$;
     CREATE TRIGGER refuse BEFORE UPDATE ON subscriptions FOR EACH ROW
       WHEN (OLD.billing_customer_id = 'stuck') EXECUTE FUNCTION refuse_roll_over()`,
  );
  try {
    await pool.query(
      `WITH c AS (
         INSERT INTO customers (id, project_id, account_id, external_id, email)
         SELECT gen_random_uuid(), project_id, account_id, 'stuck ' || i, 'a@example.com'
         FROM customers, generate_series(1, 120) AS i WHERE id = $1 RETURNING id)
       INSERT INTO subscriptions (id, project_id, customer_id, tier_id, subscription_status, current_period_start,
         current_period_end, billing_customer_id)
       SELECT gen_random_uuid(), s.project_id, c.id, s.tier_id, s.subscription_status, s.current_period_start,
         s.current_period_end - interval '1 day', 'stuck'
       FROM c, subscriptions s WHERE s.customer_id = $1`,
      [id],
    );
    harness.clock.advance({ days: 40 });
    await harness.replica();
    const hasRolled = async () => {
      const now = await findSubscription(harness, owner, id);
      return timestampMs(now!.currentPeriodEnd!) > harness.clock.nowMs();
    };
    await waitUntil(hasRolled, { what: 'the period behind the failing ones to roll over' });
  } finally {
    await pool.query('DROP TRIGGER refuse ON subscriptions; DROP FUNCTION refuse_roll_over');
    await pool.query(`DELETE FROM customers WHERE external_id LIKE 'stuck %'`);
  }
});
