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
  ...Object.entries(PARTS).map(([table, order]) => ({
    table,
    sql: `SELECT * FROM ${table} WHERE run_id IN (${RUNS}) ORDER BY ${order}`,
  })),
];
