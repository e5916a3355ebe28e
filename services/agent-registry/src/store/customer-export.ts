import type { CustomerTable } from '@tollgate/service';

const SESSIONS = 'SELECT id FROM sessions WHERE customer_id = $1::uuid';

/** Everything about a customer that is stored here. */
export const CUSTOMER_TABLES: readonly CustomerTable[] = [
  { table: 'sessions', sql: 'SELECT * FROM sessions WHERE customer_id = $1::uuid ORDER BY created_at' },
  {
    table: 'session_messages',
    sql: `SELECT * FROM session_messages WHERE session_id IN (${SESSIONS}) ORDER BY session_id, seq`,
  },
  { table: 'state_handles', sql: 'SELECT * FROM state_handles WHERE customer_id = $1::uuid ORDER BY created_at' },
  {
    table: 'state_handle_contents',
    sql: `SELECT c.* FROM state_handle_contents c JOIN state_handles h ON h.id = c.state_id
          WHERE h.customer_id = $1::uuid`,
  },
  { table: 'agent_customer_memories', sql: 'SELECT * FROM agent_customer_memories WHERE customer_id = $1::uuid' },
  { table: 'deleted_customers', sql: 'SELECT * FROM deleted_customers WHERE customer_id = $1::uuid' },
];
