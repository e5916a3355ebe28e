import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';

/** Tables of the service, without those that packages own. */
const OTHERS = ['_prisma_migrations', 'outbox', 'outbox_lease'];

const COLUMNS: Record<string, string> = {
  background_discards: `
    id uuid
    principal bytea
    hold_ids _uuid
    is_superseded bool
    tries int4
    due_at timestamptz`,
  background_events: `
    response_id uuid
    last_event int4
    events text`,
  background_responses: `
    id uuid
    account_id uuid
    project_id uuid
    customer_id uuid null
    principal bytea
    traceparent text null
    head text
    body text null
    bytes int4
    options text
    status text
    error text null
    answer text null
    attempt int4
    is_dispatched bool
    superseded_attempt int4 null
    lost int4
    tries int4
    lease_owner uuid null
    lease_epoch int4
    lease_until timestamptz null
    due_at timestamptz
    created_at timestamptz
    expires_at timestamptz
    ended_at timestamptz null
    ended_head text null
    hold_ttl_ms int4
    hold_due_at timestamptz
    is_streamed bool
    has_events bool
    last_event int4
    event_bytes int4
    waits int4`,
  batch_keys: `
    project_id uuid
    scope text
    key text
    request_hash text
    batch_id uuid
    created_at timestamptz`,
  batch_lines: `
    batch_id uuid
    line int4
    account_id uuid
    custom_id text
    body text
    is_done bool
    attempt int4
    is_dispatched bool
    superseded_attempt int4 null
    lost int4
    tries int4
    lease_owner uuid null
    lease_epoch int4
    lease_until timestamptz null
    due_at timestamptz
    status_code int4 null
    answer text null
    waits int4`,
  batch_turns: `
    account_id uuid
    stepped_at timestamptz`,
  batches: `
    batch_id uuid
    account_id uuid
    project_id uuid
    customer_id uuid null
    principal bytea
    traceparent text null
    endpoint text
    input_file_id uuid
    metadata text null
    output_ttl_seconds int4
    status text
    ends_as text
    errors text null
    model text null
    total int4
    completed int4
    failed int4
    input_tokens int8
    cached_tokens int8
    output_tokens int8
    reasoning_tokens int8
    output_file_id uuid null
    error_file_id uuid null
    created_at timestamptz
    expires_at timestamptz
    in_progress_at timestamptz null
    finalizing_at timestamptz null
    completed_at timestamptz null
    failed_at timestamptz null
    expired_at timestamptz null
    canceling_at timestamptz null
    canceled_at timestamptz null
    ended_at timestamptz null
    step_due_at timestamptz null
    validation text null
    validation_due_at timestamptz null`,
  compiled_sources: `
    key text
    project_id uuid
    result text
    created_at timestamptz
    last_used_at timestamptz`,
  file_keys: `
    project_id uuid
    scope text
    key text
    request_hash text
    file_id uuid
    created_at timestamptz`,
  file_parts: `
    file_id uuid
    part int4
    body bytea`,
  files: `
    file_id uuid
    account_id uuid
    project_id uuid
    customer_id uuid null
    purpose text
    filename text
    bytes int8
    parts int4
    is_complete bool
    created_at timestamptz
    expires_at timestamptz`,
  plans: `
    project_id uuid
    plan_hash text
    plan text
    created_at timestamptz
    last_used_at timestamptz`,
  run_artifacts: `
    run_id uuid
    node_id text
    key text
    bytes int4
    sha256 text
    body text
    created_at timestamptz`,
  run_events: `
    run_id uuid
    seq int4
    ts timestamptz
    type text
    node_id text null
    body text`,
  run_keys: `
    project_id uuid
    scope text
    key text
    request_hash text
    run_id uuid
    created_at timestamptz`,
  run_nodes: `
    run_id uuid
    node_id text
    position int4
    type text
    status text
    is_queued bool
    started_at timestamptz null
    ended_at timestamptz null
    deadline_at timestamptz null
    error_code text null
    error_message text null
    item_index int4 null
    attempt int4
    first_step int4
    closed_to _text`,
  run_session_messages: `
    run_id uuid
    session_id uuid
    content text
    tries int4
    due_at timestamptz`,
  run_steps: `
    run_id uuid
    node_id text
    step int4
    attempt int4
    request_id uuid
    status text
    model_id text null
    provider text null
    input_price_per_million_cents int8 null
    output_price_per_million_cents int8 null
    price_per_image_cents int8 null
    held_microcents int8 null
    cost_microcents int8 null
    input_tokens int8 null
    output_tokens int8 null
    llm_request text null
    llm_response text null
    tool_results text null
    error_code text null
    created_at timestamptz
    dispatched_at timestamptz null
    ended_at timestamptz null`,
  run_tool_results: `
    run_id uuid
    node_id text
    step int4
    position int4
    tool_call_id text
    name text
    output text
    error_code text null
    model_id text null
    cost_microcents int8
    created_at timestamptz
    mocks_served int4
    mock_key text null`,
  run_unknown_costs: `
    request_id uuid
    run_id uuid
    node_id text
    step int4
    attempt int4
    tries int4
    due_at timestamptz`,
  run_work: `
    work_id int8
    project_id uuid
    run_id uuid
    node_id text
    kind text
    run_at timestamptz
    lease_owner uuid null
    lease_epoch int4
    lease_until timestamptz null
    retries int4
    waits int4`,
  runs: `
    run_id uuid
    project_id uuid
    customer_id uuid null
    plan_hash text
    name text null
    status text
    principal bytea
    session_id uuid null
    input text null
    model_override text null
    last_seq int4
    outputs text null
    error_code text null
    error_message text null
    created_at timestamptz
    ended_at timestamptz null
    traceparent text null
    agents _text null`,
};

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../../prisma/migrations', import.meta.url) });
});
afterAll(() => database.drop());

it('has the columns that the statements of the store use', async () => {
  const { rows } = await database.pool.query<{ name: string; columns: string }>(
    `SELECT table_name AS name, string_agg(column_name || ' ' || udt_name || CASE is_nullable WHEN 'YES' THEN ' null' ELSE '' END,
         E'\\n' ORDER BY ordinal_position) AS columns
     FROM information_schema.columns WHERE table_schema = $1 AND table_name <> ALL ($2) GROUP BY 1 ORDER BY 1`,
    [database.schema, OTHERS],
  );
  const expected = Object.entries(COLUMNS).map(([name, lines]) => [name, lines.trim().split(/\n\s*/)]);
  expect(rows.map(({ name, columns }) => [name, columns.split('\n')])).toEqual(expected);
});

it('rounds the time of no new row up, so that a worker takes it at once', async () => {
  const { rows } = await database.pool.query<{ table: string }>(
    `SELECT table_name AS table FROM information_schema.columns
      WHERE table_schema = current_schema() AND column_name = 'due_at' AND column_default = 'now()'`,
  );
  expect(rows).toEqual([]);
});

it('has an index for every claim, list and retention', async () => {
  const { rows } = await database.pool.query<{ columns: string }>(
    `SELECT tablename || ' ' || substring(indexdef FROM '(?:btree|(?=gin)) ?(.*)$') AS columns FROM pg_indexes
     WHERE schemaname = $1 AND tablename <> ALL ($2) ORDER BY 1`,
    [database.schema, OTHERS],
  );
  expect(rows.map(({ columns }) => columns)).toEqual([
    'background_discards (due_at)',
    'background_discards (id)',
    'background_events (response_id, last_event)',
    'background_responses (COALESCE(customer_id, project_id), ended_at) INCLUDE (bytes) WHERE (ended_at IS NOT NULL)',
    'background_responses (account_id, COALESCE(customer_id, project_id)) WHERE ((ended_at IS NULL) AND (lease_until IS NOT NULL))',
    'background_responses (account_id, COALESCE(customer_id, project_id), (((bytes > 262144))::integer), due_at, id) WHERE ((ended_at IS NULL) AND (lease_until IS NULL))',
    'background_responses (account_id, due_at) WHERE ((ended_at IS NULL) AND (lease_until IS NULL))',
    'background_responses (customer_id) WHERE (customer_id IS NOT NULL)',
    'background_responses (due_at) WHERE ((ended_at IS NULL) AND (lease_until IS NULL))',
    'background_responses (ended_at) WHERE (ended_at IS NOT NULL)',
    "background_responses (ended_at) WHERE (status = 'discarded'::text)",
    'background_responses (hold_due_at) WHERE ((ended_at IS NULL) AND (NOT is_dispatched))',
    'background_responses (id)',
    'background_responses (lease_until) WHERE (lease_until IS NOT NULL)',
    'background_responses (project_id) WHERE (ended_at IS NULL)',
    'background_responses (project_id, ended_at) INCLUDE (bytes) WHERE (ended_at IS NOT NULL)',
    'background_responses (project_id, ended_at) WHERE has_events',
    'batch_keys (created_at)',
    'batch_keys (project_id, scope, key)',
    'batch_lines (account_id, due_at) WHERE ((NOT is_done) AND (lease_until IS NULL))',
    'batch_lines (account_id, lease_until) WHERE (lease_until IS NOT NULL)',
    'batch_lines (batch_id) WHERE ((NOT is_done) AND (lease_until IS NULL) AND (is_dispatched OR (superseded_attempt IS NOT NULL)))',
    'batch_lines (batch_id, custom_id)',
    'batch_lines (batch_id, due_at, line) WHERE ((NOT is_done) AND (lease_until IS NULL))',
    'batch_lines (batch_id, line)',
    'batch_turns (account_id)',
    'batch_turns (stepped_at)',
    "batches (account_id, COALESCE(customer_id, project_id), batch_id) WHERE ((ended_at IS NULL) AND (status = 'in_progress'::text))",
    "batches (account_id, batch_id) WHERE ((ended_at IS NULL) AND (status <> 'in_progress'::text))",
    'batches (batch_id)',
    "batches (batch_id) WHERE ((ended_at IS NULL) AND (status <> ALL (ARRAY['validating'::text, 'in_progress'::text])))",
    'batches (batch_id) WHERE (ended_at IS NULL)',
    'batches (ended_at) WHERE (ended_at IS NOT NULL)',
    "batches (expires_at) WHERE ((ended_at IS NULL) AND (status = ANY (ARRAY['validating'::text, 'in_progress'::text])))",
    'batches (project_id, batch_id)',
    'compiled_sources (key)',
    'compiled_sources (last_used_at)',
    'file_keys (created_at)',
    'file_keys (project_id, scope, key)',
    'file_parts (file_id, part)',
    'files (expires_at)',
    'files (file_id)',
    'files (project_id, file_id)',
    'plans (last_used_at)',
    'plans (project_id, plan_hash)',
    'run_artifacts (run_id, node_id, key)',
    'run_events (run_id, seq)',
    'run_keys (created_at)',
    'run_keys (project_id, scope, key)',
    'run_nodes (run_id, node_id)',
    'run_session_messages (due_at)',
    'run_session_messages (run_id)',
    'run_steps (run_id, node_id, step, attempt)',
    'run_tool_results (run_id, node_id, step, "position")',
    'run_unknown_costs (due_at)',
    'run_unknown_costs (request_id)',
    'run_unknown_costs (run_id)',
    'run_work (lease_until) WHERE (lease_until IS NOT NULL)',
    'run_work (project_id) WHERE (lease_until IS NOT NULL)',
    "run_work (project_id, run_at, work_id) WHERE ((lease_until IS NULL) AND (kind = 'node'::text))",
    "run_work (run_at, work_id) WHERE ((lease_until IS NULL) AND (kind <> 'node'::text))",
    'run_work (run_id, node_id, kind)',
    'run_work (work_id)',
    'runs (ended_at)',
    'runs (project_id, created_at DESC, run_id DESC)',
    'runs (project_id, customer_id, created_at DESC, run_id DESC)',
    'runs (run_id)',
    'runs gin (agents) WHERE (agents IS NOT NULL)',
  ]);
});
