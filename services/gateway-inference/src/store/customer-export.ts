import type { CustomerTable } from '@tollgate/service';

/** Everything about a customer that is stored here. The files of images are at `/images/{id}` until they expire. */
export const CUSTOMER_TABLES: readonly CustomerTable[] = [
  { table: 'images', sql: 'SELECT * FROM images WHERE customer_id = $1::uuid ORDER BY created_at' },
];
