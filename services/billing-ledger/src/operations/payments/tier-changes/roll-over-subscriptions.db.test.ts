import { type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt';
import { expect, it } from '@jest/globals';
import type { Subscription } from '@tollgate/contracts/billing/v1/billing_pb.js';
import { waitUntil } from '@tollgate/testkit';
import {
  lockCustomerById,
  putSubscriptionState,
  readSubscriptionState,
  type StoredSubscription,
} from '../../../store/payments/customer-subscriptions.js';
import { callAs } from '../../../testing/ledger-harness.js';
import { findSubscription, makeCustomer, makeTier } from '../../../testing/payments-harness.js';
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
  const { pool, countLockWaits } = harness.ledger.database;
  const withdrawal = await pool.connect();
  await withdrawal.query('BEGIN');
  await lockCustomerById(withdrawal, id);
  harness.clock.advance({ days: 32 });
  const replica = harness.replica(); // finds the ended period, then waits for the customer's row
  await waitUntil(() => countLockWaits('FROM customers'), { what: 'the roll-over to wait' });
  const stored = (await readSubscriptionState(withdrawal, id)) as StoredSubscription;
  const { startMs } = stored.schedule.period;
  await putSubscriptionState(
    withdrawal,
    { ...stored, cancelAt: undefined },
    { anchorMs: startMs, windowStartMs: startMs },
  );
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

it.each([
  ['2026-01-31', '2026-02-28', '2026-04-02', '2026-03-31', '2026-04-30'],
  ['2026-01-31', '2026-02-28', '2026-03-01', '2026-02-28', '2026-03-31'],
  ['2024-02-29', '2025-02-28', '2028-03-01', '2028-02-29', '2029-02-28'],
])('keeps the day of a period from %s to %s in later months, whether it was rolled over or not', async (...dates) => {
  const [from, to, now, start, end] = dates.map((date) => Date.parse(`${date}T00:00:00Z`));
  const owner = await project();
  const isYearly = (to ?? 0) - (from ?? 0) > 100 * 86_400_000;
  const tier = {
    priceCents: 900,
    billingProvider: 'external',
    interval: isYearly ? ('year' as const) : ('month' as const),
  };
  await makeTier(harness, owner, { tierCode: 'ext', ...tier });
  const id = await makeCustomer(harness, owner);
  harness.clock.set(new Date(from ?? 0));
  const period = { currentPeriodStart: timestampFromMs(from ?? 0), currentPeriodEnd: timestampFromMs(to ?? 0) };
  await harness.billing.setSubscription({ customerId: id, tierCode: 'ext', ...period }, callAs(owner));
  const windowNow = async () => {
    const { windowStart, windowEnd } = await harness.billing.getCustomerUsage({ customerId: id }, callAs(owner));
    return [timestampMs(windowStart as Timestamp), timestampMs(windowEnd as Timestamp)];
  };
  harness.clock.set(new Date(now ?? 0));
  expect(await windowNow()).toEqual([start, end]);
  harness.clock.set(new Date((to ?? 0) + 1));
  const hasRolled = async () => {
    const { currentPeriodStart } = (await findSubscription(harness, owner, id)) as Subscription;
    return timestampMs(currentPeriodStart as Timestamp) >= (to ?? 0);
  };
  await harness.replica();
  await waitUntil(hasRolled, { what: 'the period to roll over' });
  harness.clock.set(new Date(now ?? 0));
  expect(await windowNow()).toEqual([start, end]);
});
