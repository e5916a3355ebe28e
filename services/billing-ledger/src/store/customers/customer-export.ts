import type { CustomerTable } from '@tollgate/service';

/** The ledger accounts of the customer: wallet and allowances. */
const ACCOUNTS = 'SELECT id FROM accounts WHERE ref_id = $1::uuid';

/** Everything about a customer that is stored here. */
export const CUSTOMER_TABLES: readonly CustomerTable[] = [
  { table: 'customers', sql: 'SELECT * FROM customers WHERE id = $1::uuid' },
  { table: 'customer_identities', sql: 'SELECT * FROM customer_identities WHERE customer_id = $1::uuid' },
  { table: 'subscriptions', sql: 'SELECT * FROM subscriptions WHERE customer_id = $1::uuid' },
  {
    table: 'promo_grants',
    sql: `SELECT g.* FROM promo_grants g JOIN customers c USING (project_id, external_id) WHERE c.id = $1::uuid`,
  },
  {
    table: 'trial_grants',
    sql: `SELECT g.* FROM trial_grants g JOIN customers c USING (project_id, external_id) WHERE c.id = $1::uuid`,
  },
  { table: 'accounts', sql: 'SELECT * FROM accounts WHERE ref_id = $1::uuid ORDER BY id' },
  { table: 'usage_thresholds', sql: `SELECT * FROM usage_thresholds WHERE account_id IN (${ACCOUNTS})` },
  {
    table: 'transfers',
    sql: `SELECT * FROM transfers WHERE debit_account IN (${ACCOUNTS}) OR credit_account IN (${ACCOUNTS}) ORDER BY id`,
  },
  { table: 'holds', sql: 'SELECT * FROM holds WHERE customer_id = $1::uuid ORDER BY created_at' },
  { table: 'usage_rollups', sql: 'SELECT * FROM usage_rollups WHERE customer_id = $1::uuid ORDER BY day' },
  { table: 'payment_orders', sql: 'SELECT * FROM payment_orders WHERE customer_id = $1::uuid' },
  { table: 'payment_refunds', sql: `SELECT * FROM payment_refunds WHERE account_id IN (${ACCOUNTS})` },
  { table: 'processor_customers', sql: 'SELECT * FROM processor_customers WHERE ref_id = $1::uuid' },
  { table: 'processor_subscriptions', sql: 'SELECT * FROM processor_subscriptions WHERE customer_id = $1::uuid' },
  { table: 'deleted_customers', sql: 'SELECT * FROM deleted_customers WHERE id = $1::uuid' },
];
