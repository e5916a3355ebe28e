import type { CustomerTable } from '@tollgate/service';

/** Everything stored here about a customer, except the hash of a device code, which is not the customer's data. */
export const CUSTOMER_TABLES: readonly CustomerTable[] = [
  {
    table: 'device_sign_ins',
    sql: `SELECT project_id, status, customer_id, created_at, expires_at FROM device_sign_ins WHERE customer_id = $1`,
  },
  { table: 'revocations', sql: 'SELECT * FROM revocations WHERE subject_id = $1' },
  { table: 'requests', sql: 'SELECT * FROM requests WHERE customer_id = $1' },
  { table: 'audit_events', sql: 'SELECT * FROM audit_events WHERE actor_id = $1::text OR subject_id = $1::text' },
];
