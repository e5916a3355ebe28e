import type { CustomerTable } from '@tollgate/service';

/** Everything stored here about a customer, except hashes of codes, which are not the customer's data. */
export const CUSTOMER_TABLES: readonly CustomerTable[] = [
  {
    table: 'device_sign_ins',
    sql: `SELECT project_id, status, customer_id, created_at, expires_at FROM device_sign_ins WHERE customer_id = $1`,
  },
  {
    table: 'portal_links',
    sql: `SELECT project_id, customer_id, return_url, expires_at FROM portal_links WHERE customer_id = $1`,
  },
  { table: 'customer_sessions', sql: 'SELECT * FROM customer_sessions WHERE customer_id = $1' },
  { table: 'revocations', sql: 'SELECT * FROM revocations WHERE subject_id = $1' },
  { table: 'requests', sql: 'SELECT * FROM requests WHERE customer_id = $1' },
  { table: 'request_customer_days', sql: 'SELECT * FROM request_customer_days WHERE customer_id = $1' },
  { table: 'request_rollup_marks', sql: 'SELECT * FROM request_rollup_marks WHERE customer_id = $1' },
  { table: 'audit_events', sql: 'SELECT * FROM audit_events WHERE actor_id = $1::text OR subject_id = $1::text' },
];
