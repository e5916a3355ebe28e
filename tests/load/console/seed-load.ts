// A project of the size at which lists that read everything become slow, written by SQL.
import type { System, TestProject } from '../../system/start-system.js';

export interface Load {
  customers: number;
  requests: number;
  /** The last days over which the requests are spread evenly. */
  days: number;
}

/** Adds customers `user-1` … with subscriptions, and requests of theirs. Returns the tables that grew. */
export async function seedLoad(system: System, project: TestProject, tierId: string, load: Load): Promise<Set<string>> {
  const { customers, requests, days } = load;
  const [owner] = await system.query<{ account_id: string }>(
    'SELECT account_id FROM edge_gateway.projects WHERE id = $1',
    [project.id],
  );
  const ids = [project.id, owner?.account_id];
  await system.query(
    `INSERT INTO billing_ledger.customers (id, project_id, account_id, external_id, email, created_at)
     SELECT md5('customer ' || n)::uuid, $1, $2, 'user-' || n, 'user-' || n || '@example.com',
            now() - ($3::int - n) * interval '1 minute' FROM generate_series(1, $3::int) n`,
    [...ids, customers],
  );
  await system.query(
    `INSERT INTO billing_ledger.subscriptions
       (id, project_id, customer_id, tier_id, subscription_status, current_period_start, current_period_end)
     SELECT md5('subscription ' || n)::uuid, $1, md5('customer ' || n)::uuid, $2, 'active', now(), now() + interval '20 days'
     FROM generate_series(1, $3::int) n`,
    [project.id, tierId, customers],
  );
  const tables = await addDays(system, days);
  await system.query(
    `INSERT INTO edge_gateway.requests (id, at, account_id, project_id, status, customer_id, tier_code, model, provider,
       http_status, error_code, is_stream, is_cached, is_estimated, input_tokens, output_tokens, cache_read_input_tokens,
       cache_write_input_tokens, reasoning_tokens, images, revenue_microcents, cost_microcents, overrun_microcents,
       unreconciled_microcents, duration_ms, first_output_ms)
     SELECT md5('request ' || n)::uuid, now() - (n::float8 / $3) * ($4 - 1) * interval '1 day', $2, $1,
       CASE WHEN n % 20000 = 7 THEN 'failed' ELSE 'succeeded' END, md5('customer ' || 1 + n % $5)::uuid, 'free',
       'sandbox/echo-1', 'sandbox', 200, CASE WHEN n % 20000 = 7 THEN 'UPSTREAM_ERROR' END, false, false, false,
       100, 50, 0, 0, 0, 0, 2000, 1000, 0, 0, 100 + n % 900, 20 + n % 80
     FROM generate_series(1, $3::int) n`,
    [...ids, requests, days, customers],
  );
  for (const table of [...tables, 'billing_ledger.customers', 'billing_ledger.subscriptions'])
    await system.query(`ANALYZE ${table}`);
  return new Set([...tables, 'billing_ledger.customers', 'billing_ledger.subscriptions']);
}

/** Adds the partitions of the last days as the service does. Returns their names. */
async function addDays(system: System, days: number): Promise<string[]> {
  const names: string[] = [];
  for (let back = 0; back < days; back++) {
    const [from, to] = [back, back - 1].map((ago) =>
      new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10),
    );
    const name = `edge_gateway.requests_${from?.replaceAll('-', '')}`;
    names.push(name);
    const [found] = await system.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [name]);
    if (found?.exists) continue;
    await system.query(`CREATE TABLE ${name} (LIKE edge_gateway.requests INCLUDING ALL)`);
    await system.query(
      `ALTER TABLE edge_gateway.requests ATTACH PARTITION ${name} FOR VALUES FROM ('${from}T00:00:00Z') TO ('${to}T00:00:00Z')`,
    );
  }
  return names;
}
