// Plans of the statements that take due work of payments, in tables of 20,000 rows of which few are due.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { explainStatement, type Queryable, type TestDatabase, testDatabase } from '@tollgate/postgres';
import { takeDueNextPrices } from '../gen/payments/next-prices.js';
import { takeOverdueRefunds } from '../gen/payments/payment-refunds.js';
import { takeDueEmails } from '../gen/payments/processor-customers.js';
import { takeDueHistories } from '../gen/payments/processor-payments.js';
import { takeOverdueSubscriptions } from '../gen/payments/processor-subscriptions.js';
import { takeDuePrices } from '../gen/tiers/price-sync.js';

const ROWS = 20_000;
const DUE = { now: new Date(), retryAt: new Date(), limit: 10 };
/** Due in the past for every 200th row. */
const SOMETIMES = `CASE WHEN n % 100 = 0 THEN now() + (n - ${ROWS / 2}) * interval '1 second' END`;

const FILL = `
  INSERT INTO tiers (id, project_id, tier_code, display_name, billing_mode, price_sync_at)
    SELECT gen_random_uuid(), gen_random_uuid(), 'pro', 'Pro', 'subscription', ${SOMETIMES}
    FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO processor_subscriptions (id, customer_id, tier_id, processor_customer_id, status, period_start, period_end,
      cancels_at_period_end, started_at, ticket, check_at, next_price_at)
    SELECT 'sub_' || n, gen_random_uuid(), gen_random_uuid(), 'cus_' || n, 'active', now(), now(), false, now(), n,
      now() + (n - 100) * interval '1 second', ${SOMETIMES}
    FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO processor_customers (ref_kind, ref_id, processor_customer_id, email, email_due_at, history_due_at)
    SELECT 'customer', gen_random_uuid(), 'cus_' || n, '', ${SOMETIMES}, ${SOMETIMES} FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO customers (id, project_id, account_id, external_id, email)
    SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), n, 'ada@example.com' FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO payment_refunds (id, order_id, account_id, owner_account_id, cause, amount_cents, check_at)
    SELECT gen_random_uuid(), gen_random_uuid(), n, gen_random_uuid(), '', 1, now() + (n - 100) * interval '1 second'
    FROM generate_series(1, ${ROWS}) AS n`;

let database: TestDatabase;
beforeAll(async () => {
  const migrations = new URL('../../../prisma/migrations', import.meta.url);
  database = await testDatabase(import.meta.url, { migrations });
  await database.pool.query(FILL);
  await database.analyze();
});
afterAll(() => database.drop());

it.each<[string, string, (db: Queryable) => Promise<unknown>]>([
  ['prices of tiers', 'tiers_price_sync_at_idx', (db) => takeDuePrices(db, DUE)],
  ['prices of subscriptions', 'processor_subscriptions_next_price_at_idx', (db) => takeDueNextPrices(db, DUE)],
  [
    'subscriptions',
    'processor_subscriptions_check_at_idx',
    (db) => takeOverdueSubscriptions(db, { ...DUE, checkMs: 1, requestMs: 1 }),
  ],
  ['emails', 'processor_customers_email_due_at_idx', (db) => takeDueEmails(db, DUE)],
  ['payments of customers', 'processor_customers_history_due_at_idx', (db) => takeDueHistories(db, DUE)],
  ['refunds', 'payment_refunds_check_at_idx', (db) => takeOverdueRefunds(db, { ...DUE, pauseMs: 1 })],
])('takes due %s and reads no others', async (_work, index, take) => {
  const { indexes, sequentialScans, rowsRead } = await explainStatement(database.pool, take);
  expect(sequentialScans).toEqual([]);
  expect(indexes).toContain(index);
  expect(rowsRead).toBeLessThan(200);
});
