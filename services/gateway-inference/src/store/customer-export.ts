import type { CustomerTable } from '@tollgate/service';

/** All stored data about a customer. The files of images are at `/images/{id}` until they expire. */
export const CUSTOMER_TABLES: readonly CustomerTable[] = [
  { table: 'images', sql: 'SELECT * FROM images WHERE customer_id = $1::uuid ORDER BY created_at' },
  {
    table: 'stored_responses',
    sql: 'SELECT * FROM stored_responses WHERE customer_id = $1::uuid ORDER BY created_at, id',
  },
  { table: 'conversations', sql: 'SELECT * FROM conversations WHERE customer_id = $1::uuid ORDER BY created_at, id' },
  {
    table: 'conversation_items',
    sql: `SELECT i.* FROM conversation_items i JOIN conversations c ON c.id = i.conversation_id
           WHERE c.customer_id = $1::uuid ORDER BY c.created_at, c.id, i.position`,
  },
];
