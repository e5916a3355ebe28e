import type { CustomerTable } from '@tollgate/service';

/** Everything about a customer that is stored here. */
export const CUSTOMER_TABLES: readonly CustomerTable[] = [
  { table: 'messages', sql: 'SELECT * FROM messages WHERE customer_id = $1::uuid ORDER BY seq' },
];
