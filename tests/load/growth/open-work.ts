// Rows that exist or are open at one moment. They belong to other owners than the owner of the measured requests.
import type pg from 'pg';

export interface OpenWork {
  projects: number;
  runs: number;
  webhooks: number;
}

/** Inserts projects with a key each, webhooks of these projects, and runs that wait until tomorrow. */
export async function insertOpenWork(client: pg.ClientBase, { projects, runs, webhooks }: OpenWork): Promise<void> {
  if (projects === 0) return;
  const project = `md5('project' || n % ${projects})::uuid`;
  const inserts: [number, string][] = [
    [projects, "INSERT INTO edge_gateway.accounts (id) SELECT md5('account' || n % $1)::uuid"],
    [
      projects,
      `INSERT INTO edge_gateway.projects (id, account_id, owner_id, name)
       SELECT ${project}, md5('account' || n % $1)::uuid, md5('user' || n % $1)::uuid, 'project ' || n`,
    ],
    [
      projects,
      `INSERT INTO edge_gateway.api_keys (id, project_id, kind, label, key_hash, last4)
       SELECT md5('key' || n % $1)::uuid, ${project}, 'secret', 'key', decode(md5('key' || n), 'hex'), '0000'`,
    ],
    [
      webhooks,
      `INSERT INTO hooks_webhooks.webhooks
         (id, project_id, endpoint_url, event_types, enabled, signature_form, retry_schedule, secret_key_id, secret_sealed)
       SELECT md5('webhook' || n % $1)::uuid, ${project}, 'https://receiver.example/', ARRAY['customer.created'], true, 'body',
         'standard', 'k', '\\x00'`,
    ],
    [
      runs,
      `INSERT INTO workflow_engine.runs (run_id, project_id, plan_hash, name, status, principal, created_at)
       SELECT md5('open run' || n % $1)::uuid, ${project}, 'h', 'open', 'waiting', '\\x00', now() - n * interval '1 second'`,
    ],
    [
      runs,
      `INSERT INTO workflow_engine.run_nodes (run_id, node_id, position, type, status, is_queued, deadline_at)
       SELECT md5('open run' || n % $1)::uuid, 'w', 0, 'wait', 'waiting', false, now() + interval '1 day'`,
    ],
    [
      runs,
      `INSERT INTO workflow_engine.run_work (project_id, run_id, node_id, kind, run_at)
       SELECT ${project}, md5('open run' || n % $1)::uuid, 'w', 'wait_deadline', now() + interval '1 day'`,
    ],
  ];
  await client.query('SET session_replication_role = replica'); // foreign keys are not checked
  for (const [count, insert] of inserts)
    if (count > 0) await client.query(`${insert} FROM generate_series(1, $1::int) n`, [count]);
  await client.query('RESET session_replication_role');
  await client.query('ANALYZE');
}
