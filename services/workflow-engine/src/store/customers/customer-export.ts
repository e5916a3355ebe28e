import type { CustomerTable } from '@tollgate/service';

const RUNS = 'SELECT run_id FROM runs WHERE customer_id = $1::uuid';

/** The parts of the customer's runs, each in its order. */
const PARTS: Readonly<Record<string, string>> = {
  run_nodes: 'run_id, position',
  run_steps: 'run_id, node_id, step, attempt',
  run_tool_results: 'run_id, node_id, step, position',
  run_artifacts: 'run_id, node_id, key',
  run_events: 'run_id, seq',
  run_session_messages: 'run_id',
};

/** Everything about a customer that is stored here. */
export const CUSTOMER_TABLES: readonly CustomerTable[] = [
  { table: 'runs', sql: 'SELECT * FROM runs WHERE customer_id = $1::uuid ORDER BY created_at' },
  { table: 'files', sql: 'SELECT * FROM files WHERE customer_id = $1::uuid ORDER BY file_id' },
  {
    table: 'file_parts',
    sql: `SELECT p.file_id, p.part, encode(p.body, 'base64') AS body_base64 FROM file_parts p JOIN files f USING (file_id)
          WHERE f.customer_id = $1::uuid ORDER BY p.file_id, p.part`,
  },
  { table: 'batches', sql: 'SELECT * FROM batches WHERE customer_id = $1::uuid ORDER BY batch_id' },
  {
    table: 'batch_lines',
    sql: `SELECT l.* FROM batch_lines l JOIN batches b USING (batch_id) WHERE b.customer_id = $1::uuid ORDER BY batch_id, line`,
  },
  {
    table: 'background_responses',
    sql: 'SELECT * FROM background_responses WHERE customer_id = $1::uuid ORDER BY id',
  },
  {
    table: 'background_events',
    sql: `SELECT e.* FROM background_events e JOIN background_responses r ON r.id = e.response_id
          WHERE r.customer_id = $1::uuid ORDER BY e.response_id, e.last_event`,
  },
  ...Object.entries(PARTS).map(([table, order]) => ({
    table,
    sql: `SELECT * FROM ${table} WHERE run_id IN (${RUNS}) ORDER BY ${order}`,
  })),
];
