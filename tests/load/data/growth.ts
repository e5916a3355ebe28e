// Rows of a system that has been in use for a year: the tables that grow, and the values of their rows.

/** Whose rows a hundredth of each table is: the owner that the benchmark asks as. The rest belongs to 1,000 others. */
export interface Subject {
  accountId: string;
  projectId: string;
  customerId: string;
  walletId: bigint;
  ownerBalanceId: bigint;
  webhookId: string;
  hookId: string;
  sessionId: string;
  runId: string;
}

export interface Growth {
  /** `schema.table` */
  table: string;
  /** Rows per row asked for. */
  share: number;
  columns: string;
  /** Values of row `n`. */
  values(subject: Subject): string;
}

const others = (tag: string, count = 1_000) => `md5('${tag}' || n % ${count})::uuid`;
const mine = (id: string | bigint, other: string) =>
  `CASE WHEN n % 100 = 0 THEN ${typeof id === 'bigint' ? id : `'${id}'::uuid`} ELSE ${other} END`;
const id = (tag: string) => `md5('${tag}' || n)::uuid`;
/** Between now and 395 days ago, in the order of n: within every default retention of 400 days. */
const at = "now() - (1 - n::float8 / (SELECT rows FROM asked)) * interval '395 days'";
/** The same, over 20 days. */
const recently = "now() - (1 - n::float8 / (SELECT rows FROM asked)) * interval '20 days'";

/** The same, over ten minutes. */
const lately = "now() - (1 - n::float8 / (SELECT rows FROM asked)) * interval '10 minutes'";

/** Ids of generated wallets are greater. */
const FIRST_WALLET = 1_000_000;
const wallets = '(SELECT wallets FROM asked)';
const isGrant = `n <= ${wallets}`;

export const GROWTH: readonly Growth[] = [
  {
    table: 'billing_ledger.customers',
    share: 0.1,
    columns: 'id, project_id, account_id, external_id, email, created_at',
    values: (s) =>
      `${id('customer')}, ${mine(s.projectId, others('project'))}, ${mine(s.accountId, others('account'))}, 'bench-' || n, n || '@bench.example.com', ${at}`,
  },
  {
    table: 'billing_ledger.subscriptions',
    share: 0.1,
    columns:
      'id, project_id, customer_id, tier_id, subscription_status, current_period_start, current_period_end, created_at',
    values: (s) =>
      `${id('subscription')}, ${mine(s.projectId, others('project'))}, ${id('customer')}, ${others('tier')}, 'active', now() - interval '1 day', now() + interval '1 day' * (1 + n % 29), ${at}`,
  },
  {
    table: 'billing_ledger.customer_identities',
    share: 0.1,
    columns: 'project_id, provider, subject, customer_id, created_at',
    values: (s) => `${mine(s.projectId, others('project'))}, 'google', n::text, ${id('customer')}, ${at}`,
  },
  {
    table: 'billing_ledger.accounts',
    share: 0.1,
    columns: 'id, kind, ref_id, owner_account_id, is_enforced',
    values: (s) => `${FIRST_WALLET} + n, 'wallet', ${id('customer')}, ${mine(s.accountId, others('account'))}, true`,
  },
  {
    table: 'billing_ledger.holds',
    share: 1,
    columns:
      'request_id, state, account_ids, amounts, expires_at, created_at, owner_account_id, terms, customer_id, settled_at, model_id, input_tokens, output_tokens, images, customer_microcents, owner_microcents, overrun_microcents, unreconciled_microcents',
    values: (s) =>
      `${id('hold')}, 1, ARRAY[5000 + n % 100], ARRAY[100], ${at}, ${at}, ${mine(s.accountId, others('account'))}, '{"publicRequestId":"x"}', ${mine(s.customerId, others('customer', 100_000))}, ${at}, 'sandbox/echo-1', 10, 20, 0, 100, 100, 0, 0`,
  },
  {
    // Every wallet is filled once; the rest is charges.
    table: 'billing_ledger.transfers',
    share: 1,
    columns: 'debit_account, credit_account, amount, kind, cause, occurred_at',
    values: (s) =>
      `CASE WHEN ${isGrant} THEN 2 ELSE ${mine(s.walletId, `${FIRST_WALLET} + 1 + n % ${wallets}`)} END,
       CASE WHEN ${isGrant} THEN ${FIRST_WALLET} + n ELSE 5 END, CASE WHEN ${isGrant} THEN 1000000 ELSE 1 END,
       CASE WHEN ${isGrant} THEN 'promo' ELSE 'charge_wallet' END, ${id('hold')}, ${at}`,
  },
  {
    table: 'billing_ledger.usage_rollups',
    share: 0.2,
    columns:
      'owner_account_id, project_id, customer_id, window_start, day, key_id, model_id, requests, customer_microcents',
    values: (s) =>
      `${mine(s.accountId, others('account'))}, ${mine(s.projectId, others('project'))}, ${id('customer')}, date_trunc('month', ${at}), (${at})::date, ${others('key')}, 'sandbox/echo-1', 1, 1`,
  },
  {
    table: 'billing_ledger.hold_parts',
    share: 0.1,
    columns: 'request_id, part_id, created_at',
    values: () => `${id('hold')}, ${id('part')}, ${at}`,
  },
  {
    table: 'billing_ledger.usage_thresholds',
    share: 0.1,
    columns: 'account_id, threshold_percent, used_microcents, limit_microcents, reached_at, announced_at',
    values: () => `1000000 + n, 50, 1, 2, ${at}, ${at}`,
  },
  {
    table: 'billing_ledger.payment_orders',
    share: 0.1,
    columns:
      'id, kind, status, account_id, project_id, customer_id, amount_cents, currency, created_at, ended_at, check_at',
    values: (s) =>
      `${id('order')}, CASE WHEN n % 2 = 0 THEN 'account_topup' ELSE 'wallet_topup' END, CASE WHEN n % 3 = 0 THEN 'expired' ELSE 'completed' END, ${mine(s.accountId, others('account'))}, ${mine(s.projectId, others('project'))}, ${mine(s.customerId, others('customer', 100_000))}, 500, 'usd', ${at}, ${at}, ${at}`,
  },
  {
    table: 'billing_ledger.outbox',
    share: 0.1,
    columns: 'id, topic, key, type, payload, occurred_at, published_at',
    values: () => `${id('outbox')}, 'usage', 'k', 'request.completed', '\\x00', ${lately}, ${lately}`,
  },
  {
    table: 'edge_gateway.sessions',
    share: 0.2,
    columns: 'id, user_id, created_at, expires_at',
    values: () => `${id('usersession')}, ${others('user')}, ${recently}, now() + interval '1 day'`,
  },
  {
    table: 'edge_gateway.refresh_tokens',
    share: 0.4,
    columns: 'token_hash, session_id, created_at, expires_at',
    values: () =>
      `decode(md5('token' || n), 'hex'), md5('usersession' || n / 2)::uuid, ${recently}, now() + interval '1 day'`,
  },
  {
    table: 'edge_gateway.idempotency_records',
    share: 1,
    columns: 'scope, path, key, body_hash, claim_id, claimed_until, status, body, expires_at',
    values: () =>
      `md5((n % 1000)::text), '/api/v1/responses', n::text, '\\x00', ${id('claim')}, now(), 200, '\\x00', now() + interval '12 hours'`,
  },
  {
    table: 'edge_gateway.audit_events',
    share: 1,
    columns: 'id, account_id, project_id, action, actor_kind, actor_id, address, request_id, at',
    values: (s) =>
      `${id('audit')}, ${mine(s.accountId, others('account'))}, ${mine(s.projectId, others('project'))}, 'tier.update', 'user', 'u', 'a', 'r', ${at}`,
  },
  {
    table: 'messaging.messages',
    share: 1,
    columns: 'id, project_id, customer_id, from_address, to_address, subject, body, thread_id, created_at, read_at',
    values: (s) =>
      `${id('message')}, ${mine(s.projectId, others('project'))}, ${mine(s.customerId, others('customer', 100_000))}, 'agent:api@' || ${mine(s.projectId, others('project'))}, 'agent:a' || n % 50 || '@' || ${mine(s.projectId, others('project'))}, 's', '{}', ${id('message')}, ${at}, ${at}`,
  },
  {
    table: 'hooks_webhooks.webhook_events',
    share: 0.5,
    columns: 'id, project_id, event_type, payload, occurred_at, created_at',
    values: (s) =>
      `${id('event')}, ${mine(s.projectId, others('project'))}, 'customer.created', convert_to('{}', 'UTF8'), ${recently}, ${recently}`,
  },
  {
    table: 'hooks_webhooks.webhook_deliveries',
    share: 0.5,
    columns: 'id, webhook_id, event_id, lane_key, status, attempt_count, response_status, created_at',
    values: (s) =>
      `${id('delivery')}, ${mine(s.webhookId, others('webhook'))}, ${id('event')}, 'k', 'delivered', 1, 200, ${recently}`,
  },
  {
    table: 'hooks_webhooks.webhook_attempts',
    share: 0.5,
    columns: 'delivery_id, round, attempt, outcome, response_status, latency_ms, started_at',
    values: () => `${id('delivery')}, 1, 1, 'delivered', 200, 5, ${recently}`,
  },
  {
    table: 'hooks_webhooks.tool_hook_events',
    share: 0.5,
    columns: 'id, hook_id, request_id, tool_call_id, status, created_at',
    values: (s) => `${id('hookevent')}, ${mine(s.hookId, others('hook'))}, 'r', 'c', 'success', ${recently}`,
  },
  {
    table: 'hooks_webhooks.tool_hook_journal',
    share: 0.5,
    columns: 'question, answer, created_at',
    values: () => `decode(md5('q' || n), 'hex'), '{}', ${recently}`,
  },
  {
    table: 'hooks_webhooks.consumed_events',
    share: 1,
    columns: 'consumer, event_id, consumed_at',
    values: () => `'hooks-webhooks', ${id('consumed')}, ${recently}`,
  },
  {
    table: 'workflow_engine.runs',
    share: 0.2,
    columns: 'run_id, project_id, customer_id, plan_hash, name, status, principal, created_at, ended_at',
    values: (s) =>
      `${id('run')}, ${mine(s.projectId, others('project'))}, ${mine(s.customerId, others('customer', 100_000))}, 'h', 'bench', 'succeeded', '\\x00', ${recently}, ${recently}`,
  },
  {
    table: 'workflow_engine.run_nodes',
    share: 0.4,
    columns: 'run_id, node_id, position, type, status, is_queued',
    values: () => `md5('run' || n / 2)::uuid, 'n' || n % 2, 0, 'llm.responses', 'succeeded', false`,
  },
  {
    table: 'workflow_engine.run_steps',
    share: 0.4,
    columns: 'run_id, node_id, step, attempt, request_id, status, created_at, dispatched_at',
    values: () => `md5('run' || n / 2)::uuid, 'n' || n % 2, 0, 1, ${id('hold')}, 'settled', ${recently}, ${recently}`,
  },
  {
    // They wait, and none is due before the benchmark ends.
    table: 'workflow_engine.background_responses',
    share: 0.05,
    columns:
      'id, account_id, project_id, customer_id, principal, head, body, bytes, options, expires_at, due_at, hold_due_at',
    values: (s) =>
      `${id('background')}, ${mine(s.accountId, others('account'))}, ${mine(s.projectId, others('project'))}, ${mine(s.customerId, others('customer', 100_000))}, '', '{}', '{}', 100, '{}', now() + interval '2 days', now() + interval '1 day', now() + interval '1 day'`,
  },
  {
    table: 'workflow_engine.batches',
    share: 0.005,
    columns:
      'batch_id, account_id, project_id, customer_id, principal, endpoint, input_file_id, output_ttl_seconds, status, total, expires_at',
    values: (s) =>
      `${id('batch')}, ${mine(s.accountId, others('account'))}, ${mine(s.projectId, others('project'))}, ${mine(s.customerId, others('customer', 100_000))}, '', '/v1/responses', ${id('file')}, 0, 'in_progress', 10, now() + interval '2 days'`,
  },
  {
    table: 'workflow_engine.batch_lines',
    share: 0.05,
    columns: 'batch_id, account_id, line, custom_id, body, due_at',
    values: (s) =>
      `md5('batch' || (n + 9) / 10)::uuid, CASE WHEN (n + 9) / 10 % 100 = 0 THEN '${s.accountId}'::uuid ELSE md5('account' || (n + 9) / 10 % 1000)::uuid END, 1 + n % 10, n::text, '{}', now() + interval '1 day'`,
  },
  {
    table: 'workflow_engine.run_events',
    share: 1,
    columns: 'run_id, seq, ts, type, body',
    values: () => `md5('run' || n / 5)::uuid, 100 + n % 5, ${recently}, 'node_output', '{}'`,
  },
  {
    table: 'agent_registry.sessions',
    share: 0.2,
    columns: 'id, project_id, customer_id, metadata, tool_state, message_count, message_bytes, created_at, updated_at',
    values: (s) =>
      `${id('session')}, ${mine(s.projectId, others('project'))}, ${mine(s.customerId, others('customer', 100_000))}, '{}', '{}', 5, 10, ${at}, ${at}`,
  },
  {
    table: 'agent_registry.session_messages',
    share: 1,
    columns: 'session_id, seq, id, role, content, created_at',
    values: () => `md5('session' || n / 5)::uuid, n % 5, ${id('sessionmessage')}, 'user', '[]', ${at}`,
  },
  {
    table: 'agent_registry.state_handles',
    share: 0.2,
    columns: 'id, project_id, customer_id, created_at, expires_at',
    values: (s) =>
      `${id('handle')}, ${mine(s.projectId, others('project'))}, ${mine(s.customerId, others('customer', 100_000))}, ${at}, now() + interval '1 day'`,
  },
  {
    table: 'gateway_inference.images',
    share: 0.2,
    columns: 'id, project_id, customer_id, model_id, mime_type, file_token, created_at, expires_at, deleted_at',
    values: (s) =>
      `${id('image')}, ${mine(s.projectId, others('project'))}, ${mine(s.customerId, others('customer', 100_000))}, 'm', 'image/png', 't', ${recently}, now() + interval '1 day', CASE WHEN n % 5 = 0 THEN ${recently} END`,
  },
];

/** Tables whose sequential scans are flagged. */
export const GROWING_TABLES: ReadonlySet<string> = new Set(GROWTH.map(({ table }) => table));
