import type { CustomerTable } from '@tollgate/service';

/** All stored data about a customer. The files of images are at `/images/{id}` until they expire. */
export const CUSTOMER_TABLES: readonly CustomerTable[] = [
  { table: 'images', sql: 'SELECT * FROM images WHERE customer_id = $1::uuid ORDER BY created_at' },
  {
    table: 'stored_responses',
    sql: 'SELECT * FROM stored_responses WHERE customer_id = $1::uuid ORDER BY created_at, id',
  },
];
