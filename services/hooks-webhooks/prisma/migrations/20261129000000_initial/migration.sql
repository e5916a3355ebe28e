-- The tables of commit 83ba954b, before which migrations are squashed. ../../schema.prisma says what each table and column is.
-- A database with all of the migrations below has these tables: there, this file is only recorded.
-- upgrade through commit 83ba954b
-- replaces 20261120000000_webhooks
-- replaces 20261121000060_tool_hooks
-- replaces 20261122180000_event_traces
-- replaces 20261123143000_webhook_recoveries
-- replaces 20261123143100_failed_deliveries
-- replaces 20261123143200_deliveries_by_time
-- replaces 20261123160000_recovery_cursors
-- replaces 20261123190000_mcp_servers
-- replaces 20261124153000_mcp_authorizations

-- --- Webhooks --------------------------------------------------------------------------------------------------------------

-- An owner's endpoint that receives signed events.
CREATE TABLE webhooks (
  id                uuid PRIMARY KEY,
  project_id        uuid NOT NULL,
  endpoint_url      text NOT NULL,
  event_types       text[] NOT NULL,
  enabled           boolean NOT NULL,
  disabled_reason   text,
  signature_form    text NOT NULL,
  retry_schedule    text NOT NULL,
  secret_key_id     text NOT NULL,
  secret_sealed     bytea NOT NULL,
  failed_deliveries integer NOT NULL DEFAULT 0,
  failed_attempts   integer NOT NULL DEFAULT 0,
  created_at        timestamptz(3) NOT NULL DEFAULT now(),
  updated_at        timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at        timestamptz(3)
);
CREATE INDEX webhooks_project_id_created_at_id_idx ON webhooks (project_id, created_at, id);
-- Deletes disabled and deleted webhooks' lanes, and deleted webhooks.
CREATE INDEX webhooks_closed_idx ON webhooks (id) WHERE NOT enabled OR deleted_at IS NOT NULL;

-- An occurrence that at least one endpoint wanted.
CREATE TABLE webhook_events (
  id          uuid PRIMARY KEY,
  project_id  uuid NOT NULL,
  event_type  text NOT NULL,
  payload     bytea NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  traceparent text
);
CREATE INDEX webhook_events_created_at_idx ON webhook_events (created_at);

-- The delivery of one event to one webhook: the log that owners read.
CREATE TABLE webhook_deliveries (
  id              uuid PRIMARY KEY,
  seq             bigserial,
  webhook_id      uuid NOT NULL REFERENCES webhooks (id),
  event_id        uuid NOT NULL REFERENCES webhook_events (id),
  lane_key        text NOT NULL,
  status          text NOT NULL CHECK (status IN ('pending', 'processing', 'delivered', 'failed')),
  round           integer NOT NULL DEFAULT 0,
  attempt_count   integer NOT NULL DEFAULT 0 CHECK (attempt_count >= 0 AND attempt_count <= 5),
  response_status integer,
  latency_ms      integer,
  error           text,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  is_test         boolean NOT NULL DEFAULT false
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX webhook_deliveries_webhook_id_event_id_key ON webhook_deliveries (webhook_id, event_id);
CREATE INDEX webhook_deliveries_webhook_id_seq_idx ON webhook_deliveries (webhook_id, seq DESC);
CREATE INDEX webhook_deliveries_event_id_idx ON webhook_deliveries (event_id);
-- Finds the next delivery of a lane.
CREATE INDEX webhook_deliveries_pending_idx ON webhook_deliveries (webhook_id, lane_key, seq) WHERE status = 'pending';
-- Deletes old deliveries.
CREATE INDEX webhook_deliveries_finished_idx ON webhook_deliveries (created_at) WHERE status IN ('delivered', 'failed');
-- Recoveries read the failed deliveries of a webhook. Few deliveries are in it.
CREATE INDEX webhook_deliveries_failed_idx ON webhook_deliveries (webhook_id, created_at) WHERE status = 'failed';
CREATE INDEX webhook_deliveries_webhook_id_created_at_idx ON webhook_deliveries (webhook_id, created_at);

-- One attempt of a delivery.
CREATE TABLE webhook_attempts (
  delivery_id     uuid NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  round           integer NOT NULL,
  attempt         integer NOT NULL,
  outcome         text NOT NULL,
  response_status integer,
  latency_ms      integer,
  error           text,
  started_at      timestamptz(3) NOT NULL,
  PRIMARY KEY (delivery_id, round, attempt)
);

-- The queue: one row per endpoint and customer with unfinished deliveries, or per delivery where no order is promised.
CREATE TABLE webhook_lanes (
  webhook_id   uuid NOT NULL,
  lane_key     text NOT NULL,
  delivery_id  uuid NOT NULL,
  due_at       timestamptz NOT NULL,
  leased_until timestamptz,
  epoch        integer NOT NULL DEFAULT 0,
  PRIMARY KEY (lane_key, webhook_id)
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
-- Takes the due lanes of an endpoint.
CREATE INDEX webhook_lanes_free_idx ON webhook_lanes (webhook_id, due_at) WHERE leased_until IS NULL;
-- Counts what an endpoint has in progress; takes lanes whose lease has expired.
CREATE INDEX webhook_lanes_leased_idx ON webhook_lanes (webhook_id, leased_until) WHERE leased_until IS NOT NULL;

-- A request of an owner to send the failed deliveries of a webhook again.
CREATE TABLE webhook_recoveries (
  id                uuid PRIMARY KEY,
  webhook_id        uuid NOT NULL,
  since             timestamptz(3) NOT NULL,
  status            text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'completed', 'canceled')),
  requeued          integer NOT NULL DEFAULT 0,
  started_at        timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  ended_at          timestamptz(3),
  cursor_created_at timestamptz(3),
  cursor_id         uuid,
  advanced_at       timestamptz
);
-- One running recovery per webhook.
CREATE UNIQUE INDEX webhook_recoveries_running_key ON webhook_recoveries (webhook_id) WHERE status = 'running';
-- Deletes old recoveries.
CREATE INDEX webhook_recoveries_ended_at_idx ON webhook_recoveries (ended_at) WHERE ended_at IS NOT NULL;

-- An event of another service that was fanned out, so that a repeated one is not (packages/events).
CREATE TABLE consumed_events (
  consumer    text        NOT NULL,
  event_id    uuid        NOT NULL,
  consumed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX consumed_events_age ON consumed_events USING brin (consumed_at);

-- --- Tool hooks ------------------------------------------------------------------------------------------------------------

-- An owner's endpoint that is asked about tool calls, or executes them.
CREATE TABLE tool_hooks (
  id              uuid PRIMARY KEY,
  project_id      uuid NOT NULL,
  hook_type       text NOT NULL CHECK (hook_type IN ('pre_tool_use', 'post_tool_use', 'tool_execute')),
  endpoint_url    text NOT NULL,
  enabled         boolean NOT NULL,
  timeout_ms      integer NOT NULL,
  fail_behavior   text NOT NULL CHECK (fail_behavior IN ('fail_closed', 'fail_open')),
  tools_allowlist text[] NOT NULL,
  allow_mutation  boolean NOT NULL,
  secret_key_id   text NOT NULL,
  secret_sealed   bytea NOT NULL,
  seq             bigserial,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at      timestamptz(3)
);
CREATE INDEX tool_hooks_project_id_created_at_seq_idx ON tool_hooks (project_id, created_at, seq);

-- A call of a hook's endpoint: the log that owners read.
CREATE TABLE tool_hook_events (
  id              uuid PRIMARY KEY,
  seq             bigserial,
  hook_id         uuid NOT NULL REFERENCES tool_hooks (id),
  request_id      text NOT NULL,
  tool_call_id    text NOT NULL,
  status          text NOT NULL CHECK (status IN ('success', 'blocked', 'timeout', 'error')),
  response_status integer,
  response_body   text NOT NULL DEFAULT '',
  latency_ms      integer,
  error           text,
  created_at      timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX tool_hook_events_hook_id_seq_idx ON tool_hook_events (hook_id, seq DESC);
CREATE INDEX tool_hook_events_created_at_idx ON tool_hook_events (created_at);

-- A decision about a tool call, stored so that a repeated request gets the same decision without a call.
CREATE TABLE tool_hook_journal (
  question   bytea PRIMARY KEY,
  answer     text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX tool_hook_journal_created_at_idx ON tool_hook_journal (created_at);

-- --- MCP servers -----------------------------------------------------------------------------------------------------------

-- An MCP server of an owner whose tools agents and requests use.
CREATE TABLE mcp_servers (
  id              uuid PRIMARY KEY,
  project_id      uuid NOT NULL,
  name            text NOT NULL,
  endpoint_url    text NOT NULL,
  enabled         boolean NOT NULL,
  timeout_ms      integer NOT NULL,
  tools_allowlist text[] NOT NULL,
  header_names    text[] NOT NULL,
  secret_key_id   text NOT NULL,
  secret_sealed   bytea NOT NULL,
  listing         text,
  listed_at       timestamptz(3),
  seq             bigserial,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at      timestamptz(3)
);
-- Finds a server by its name; a deleted server frees its name.
CREATE UNIQUE INDEX mcp_servers_living_name ON mcp_servers (project_id, name) WHERE deleted_at IS NULL;
CREATE INDEX mcp_servers_project_id_created_at_seq_idx ON mcp_servers (project_id, created_at, seq);

-- A call of a server's tool, so that it is not made again once its result is recorded.
CREATE TABLE mcp_calls (
  call_key      bytea PRIMARY KEY,
  result        text,
  claimed_until timestamptz(3) NOT NULL,
  created_at    timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX mcp_calls_created_at_idx ON mcp_calls (created_at);

-- The account at an authorization server that an MCP server is connected to.
CREATE TABLE mcp_authorizations (
  id               uuid PRIMARY KEY,
  project_id       uuid NOT NULL,
  endpoint_origin  text NOT NULL,
  status           text NOT NULL,
  secret_key_id    text NOT NULL,
  secret_sealed    bytea NOT NULL,
  expires_at       timestamptz(3),
  generation       integer NOT NULL,
  refreshing_until timestamptz(3),
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  updated_at       timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX mcp_authorizations_project_id_idx ON mcp_authorizations (project_id);

-- A connection that an owner has started, until the code returns or it expires.
CREATE TABLE mcp_authorization_attempts (
  state_hash      bytea PRIMARY KEY,
  server_id       uuid NOT NULL,
  project_id      uuid NOT NULL,
  user_id         text NOT NULL,
  session_id      text NOT NULL,
  endpoint_origin text NOT NULL,
  secret_key_id   text NOT NULL,
  secret_sealed   bytea NOT NULL,
  expires_at      timestamptz(3) NOT NULL
);
CREATE INDEX mcp_authorization_attempts_expires_at_idx ON mcp_authorization_attempts (expires_at);
CREATE INDEX mcp_authorization_attempts_server_id_idx ON mcp_authorization_attempts (server_id);
