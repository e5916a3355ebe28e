-- The tables of commit 83ba954b, before which migrations are squashed. ../../schema.prisma says what each table and column is.
-- A database with all of the migrations below has these tables: there, this file is only recorded.
-- upgrade through commit 83ba954b
-- replaces 20261120160000_runs
-- replaces 20261121001000_workflow_v1
-- replaces 20261121003010_compiled_sources
-- replaces 20261121004000_agent_runs
-- replaces 20261122090000_run_waits
-- replaces 20261122092000_run_session_messages
-- replaces 20261122180000_run_traces
-- replaces 20261123141500_batches
-- replaces 20261123153000_batch_steps
-- replaces 20261123154000_batch_turns
-- replaces 20261123190000_background_responses
-- replaces 20261123190100_batch_validation
-- replaces 20261123201500_background_accounts
-- replaces 20261124150000_background_bounds
-- replaces 20261124151000_background_holds
-- replaces 20261124152000_background_discards
-- replaces 20261124190000_file_keys
-- replaces 20261124191000_background_events
-- replaces 20261124191000_run_agents
-- replaces 20261124191100_runs_by_agent
-- replaces 20261128191500_due_at_once

-- --- Runs ------------------------------------------------------------------------------------------------------------------

-- A compiled specification as canonical JSON, by project and hash.
CREATE TABLE plans (
  project_id   uuid NOT NULL,
  plan_hash    text NOT NULL,
  plan         text NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  last_used_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (project_id, plan_hash)
);
CREATE INDEX plans_last_used ON plans (last_used_at);

-- An execution of a plan.
CREATE TABLE runs (
  run_id         uuid PRIMARY KEY,
  project_id     uuid NOT NULL,
  customer_id    uuid,
  plan_hash      text NOT NULL,
  name           text,
  status         text NOT NULL,
  principal      bytea NOT NULL,
  session_id     uuid,
  input          text,
  model_override text,
  last_seq       integer NOT NULL DEFAULT 0,
  outputs        text,
  error_code     text,
  error_message  text,
  created_at     timestamptz(3) NOT NULL,
  ended_at       timestamptz(3),
  traceparent    text,
  agents         text[],
  CONSTRAINT runs_status CHECK (status IN ('running', 'waiting', 'succeeded', 'failed', 'canceled')),
  CONSTRAINT runs_ended CHECK ((ended_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'canceled')))
) WITH (fillfactor = 70);
CREATE INDEX runs_by_project ON runs (project_id, created_at DESC, run_id DESC);
CREATE INDEX runs_by_customer ON runs (project_id, customer_id, created_at DESC, run_id DESC);
CREATE INDEX runs_ended ON runs (ended_at);
-- Lists the runs of an agent.
CREATE INDEX runs_by_agent ON runs USING gin (agents) WHERE agents IS NOT NULL;

-- The state of a vertex of the run's graph, or of an item or retry of one.
CREATE TABLE run_nodes (
  run_id        uuid NOT NULL,
  node_id       text NOT NULL,
  position      integer NOT NULL,
  type          text NOT NULL,
  status        text NOT NULL,
  is_queued     boolean NOT NULL,
  started_at    timestamptz(3),
  ended_at      timestamptz(3),
  deadline_at   timestamptz(3),
  error_code    text,
  error_message text,
  item_index    integer,
  attempt       integer NOT NULL DEFAULT 1,
  first_step    integer NOT NULL DEFAULT 0,
  closed_to     text[] NOT NULL DEFAULT '{}',
  CONSTRAINT run_nodes_status CHECK (status IN ('pending', 'running', 'waiting', 'succeeded', 'failed', 'canceled')),
  PRIMARY KEY (run_id, node_id)
) WITH (fillfactor = 70);

-- An attempt of a model call of a node: the journal from which a run resumes on another process.
CREATE TABLE run_steps (
  run_id                         uuid NOT NULL,
  node_id                        text NOT NULL,
  step                           integer NOT NULL,
  attempt                        integer NOT NULL,
  request_id                     uuid NOT NULL,
  status                         text NOT NULL,
  model_id                       text,
  provider                       text,
  input_price_per_million_cents  bigint,
  output_price_per_million_cents bigint,
  price_per_image_cents          bigint,
  held_microcents                bigint,
  cost_microcents                bigint,
  input_tokens                   bigint,
  output_tokens                  bigint,
  llm_request                    text,
  llm_response                   text,
  tool_results                   text,
  error_code                     text,
  created_at                     timestamptz(3) NOT NULL,
  dispatched_at                  timestamptz(3),
  ended_at                       timestamptz(3),
  CONSTRAINT run_steps_status CHECK (status IN ('intent', 'dispatched', 'settled', 'failed', 'ambiguous', 'dropped')),
  CONSTRAINT run_steps_dispatched CHECK (status IN ('intent', 'dropped', 'failed') OR dispatched_at IS NOT NULL),
  PRIMARY KEY (run_id, node_id, step, attempt)
) WITH (fillfactor = 80);

-- The result of a tool call that the engine had executed, committed with its events.
CREATE TABLE run_tool_results (
  run_id          uuid NOT NULL,
  node_id         text NOT NULL,
  step            integer NOT NULL,
  position        integer NOT NULL,
  tool_call_id    text NOT NULL,
  name            text NOT NULL,
  output          text NOT NULL,
  error_code      text,
  model_id        text,
  cost_microcents bigint NOT NULL DEFAULT 0,
  created_at      timestamptz(3) NOT NULL,
  mocks_served    integer NOT NULL DEFAULT 0,
  mock_key        text,
  PRIMARY KEY (run_id, node_id, step, position)
);

-- An output of a node, an item of it or the state of its tools.
CREATE TABLE run_artifacts (
  run_id     uuid NOT NULL,
  node_id    text NOT NULL,
  key        text NOT NULL,
  bytes      integer NOT NULL,
  sha256     text NOT NULL,
  body       text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (run_id, node_id, key)
);

-- An event of the run's log, gapless and equal for every reader.
CREATE TABLE run_events (
  run_id  uuid NOT NULL,
  seq     integer NOT NULL,
  ts      timestamptz(3) NOT NULL,
  type    text NOT NULL,
  node_id text,
  body    text NOT NULL,
  PRIMARY KEY (run_id, seq)
);

-- The idempotency key of the creation of a run.
CREATE TABLE run_keys (
  project_id   uuid NOT NULL,
  scope        text NOT NULL,
  key          text NOT NULL,
  request_hash text NOT NULL,
  run_id       uuid NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, scope, key)
);
CREATE INDEX run_keys_age ON run_keys (created_at);

-- --- Work of runs ----------------------------------------------------------------------------------------------------------

-- The queue: a node that is ready or running, or an alarm.
CREATE TABLE run_work (
  work_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  project_id  uuid NOT NULL,
  run_id      uuid NOT NULL,
  node_id     text NOT NULL,
  kind        text NOT NULL,
  run_at      timestamptz NOT NULL,
  lease_owner uuid,
  lease_epoch integer NOT NULL DEFAULT 0,
  lease_until timestamptz,
  retries     integer NOT NULL DEFAULT 0,
  waits       integer NOT NULL DEFAULT 0,
  CONSTRAINT run_work_leased CHECK ((lease_owner IS NULL) = (lease_until IS NULL)),
  CONSTRAINT run_work_once UNIQUE (run_id, node_id, kind),
  CONSTRAINT run_work_kind CHECK (kind IN ('node', 'run_deadline', 'wait_deadline', 'node_deadline'))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
-- Takes work whose lease has expired.
CREATE INDEX run_work_expiring ON run_work (lease_until) WHERE lease_until IS NOT NULL;
-- Walks the due nodes project by project, for a fair share.
CREATE INDEX run_work_ready ON run_work (project_id, run_at, work_id) WHERE lease_until IS NULL AND kind = 'node';
-- Takes due alarms, most of which are far ahead.
CREATE INDEX run_work_alarms ON run_work (run_at, work_id) WHERE lease_until IS NULL AND kind <> 'node';
-- Counts the work that a project has in progress.
CREATE INDEX run_work_held ON run_work (project_id) WHERE lease_until IS NOT NULL;

-- The message that a succeeded run still has to append to its session, which agent-registry owns.
CREATE TABLE run_session_messages (
  run_id     uuid PRIMARY KEY,
  session_id uuid NOT NULL,
  content    text NOT NULL,
  tries      integer NOT NULL DEFAULT 0,
  due_at     timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now())
);
CREATE INDEX run_session_messages_due ON run_session_messages (due_at);

-- A call that was cut off: the ledger is asked what it cost until it knows.
CREATE TABLE run_unknown_costs (
  request_id uuid PRIMARY KEY,
  run_id     uuid NOT NULL,
  node_id    text NOT NULL,
  step       integer NOT NULL,
  attempt    integer NOT NULL,
  tries      integer NOT NULL DEFAULT 0,
  due_at     timestamptz(3) NOT NULL
);
CREATE INDEX run_unknown_costs_due ON run_unknown_costs (due_at);

-- --- Background responses --------------------------------------------------------------------------------------------------

-- A request of POST /v1/responses with `background`: queued, running or ended.
CREATE TABLE background_responses (
  id                 uuid PRIMARY KEY,
  account_id         uuid NOT NULL,
  project_id         uuid NOT NULL,
  customer_id        uuid,
  principal          bytea NOT NULL,
  traceparent        text,
  head               text NOT NULL,
  body               text,
  bytes              integer NOT NULL,
  options            text NOT NULL,
  status             text NOT NULL DEFAULT 'queued',
  error              text,
  answer             text,
  attempt            integer NOT NULL DEFAULT 1,
  is_dispatched      boolean NOT NULL DEFAULT false,
  superseded_attempt integer,
  lost               integer NOT NULL DEFAULT 0,
  tries              integer NOT NULL DEFAULT 0,
  lease_owner        uuid,
  lease_epoch        integer NOT NULL DEFAULT 0,
  lease_until        timestamptz(3),
  due_at             timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
  created_at         timestamptz(3) NOT NULL DEFAULT now(),
  expires_at         timestamptz(3) NOT NULL,
  ended_at           timestamptz(3),
  ended_head         text,
  hold_ttl_ms        integer NOT NULL DEFAULT 60000,
  hold_due_at        timestamptz(3) NOT NULL DEFAULT now(),
  is_streamed        boolean NOT NULL DEFAULT false,
  has_events         boolean NOT NULL DEFAULT false,
  last_event         integer NOT NULL DEFAULT -1,
  event_bytes        integer NOT NULL DEFAULT 0
);
-- Counts what a project and a customer have unfinished, at each creation.
CREATE INDEX background_responses_unfinished ON background_responses (project_id) WHERE ended_at IS NULL;
-- Counts what waits, for the metric of the queue.
CREATE INDEX background_responses_due ON background_responses (due_at) WHERE ended_at IS NULL AND lease_until IS NULL;
-- Takes responses whose lease has expired.
CREATE INDEX background_responses_leased ON background_responses (lease_until) WHERE lease_until IS NOT NULL;
-- Deletes ended responses.
CREATE INDEX background_responses_ended ON background_responses (ended_at) WHERE ended_at IS NOT NULL;
-- Deletes the responses of a deleted customer.
CREATE INDEX background_responses_customer ON background_responses (customer_id) WHERE customer_id IS NOT NULL;
-- Claims the responses of an account.
CREATE INDEX background_responses_account ON background_responses (account_id) WHERE ended_at IS NULL;
-- Deletes what a caller has beyond its limit.
CREATE INDEX background_responses_caller ON background_responses (coalesce(customer_id, project_id), ended_at) INCLUDE (bytes)
  WHERE ended_at IS NOT NULL;
-- Deletes ids that were discarded: a creation that comes later must not run.
CREATE INDEX background_responses_discarded ON background_responses (ended_at) WHERE status = 'discarded';
-- Deletes what a project has beyond its limit.
CREATE INDEX background_responses_project ON background_responses (project_id, ended_at) INCLUDE (bytes)
  WHERE ended_at IS NOT NULL;
-- Takes the waiting responses whose hold is due for a report.
CREATE INDEX background_responses_holds ON background_responses (hold_due_at) WHERE ended_at IS NULL AND NOT is_dispatched;
-- Deletes the oldest events of a project beyond its limit.
CREATE INDEX background_responses_events ON background_responses (project_id, ended_at) WHERE has_events;

-- Events of a streamed background response, some per row.
CREATE TABLE background_events (
  response_id uuid NOT NULL CONSTRAINT background_events_response_fkey REFERENCES background_responses (id) ON DELETE CASCADE,
  last_event  integer NOT NULL,
  events      text NOT NULL,
  PRIMARY KEY (response_id, last_event)
);

-- Attempts that are still to be undone of a response that was canceled, deleted or discarded.
CREATE TABLE background_discards (
  id            uuid PRIMARY KEY,
  principal     bytea NOT NULL,
  hold_ids      uuid[] NOT NULL,
  is_superseded boolean NOT NULL,
  tries         integer NOT NULL DEFAULT 0,
  due_at        timestamptz(3) NOT NULL
);
CREATE INDEX background_discards_due ON background_discards (due_at);

-- --- Batches ---------------------------------------------------------------------------------------------------------------

-- A batch of requests: its input file, its progress and its output files.
CREATE TABLE batches (
  batch_id           uuid PRIMARY KEY,
  account_id         uuid NOT NULL,
  project_id         uuid NOT NULL,
  customer_id        uuid,
  principal          bytea NOT NULL,
  traceparent        text,
  endpoint           text NOT NULL,
  input_file_id      uuid NOT NULL,
  metadata           text,
  output_ttl_seconds integer NOT NULL,
  status             text NOT NULL DEFAULT 'validating',
  ends_as            text NOT NULL DEFAULT 'completed',
  errors             text,
  model              text,
  total              integer NOT NULL DEFAULT 0,
  completed          integer NOT NULL DEFAULT 0,
  failed             integer NOT NULL DEFAULT 0,
  input_tokens       bigint NOT NULL DEFAULT 0,
  cached_tokens      bigint NOT NULL DEFAULT 0,
  output_tokens      bigint NOT NULL DEFAULT 0,
  reasoning_tokens   bigint NOT NULL DEFAULT 0,
  output_file_id     uuid,
  error_file_id      uuid,
  created_at         timestamptz(3) NOT NULL DEFAULT now(),
  expires_at         timestamptz(3) NOT NULL,
  in_progress_at     timestamptz(3),
  finalizing_at      timestamptz(3),
  completed_at       timestamptz(3),
  failed_at          timestamptz(3),
  expired_at         timestamptz(3),
  canceling_at       timestamptz(3),
  canceled_at        timestamptz(3),
  ended_at           timestamptz(3),
  step_due_at        timestamptz(3),
  validation         text,
  validation_due_at  timestamptz(3)
);
CREATE INDEX batches_project ON batches (project_id, batch_id);
-- Counts what a project has unfinished; visits unfinished batches page by page.
CREATE INDEX batches_unfinished ON batches (batch_id) WHERE ended_at IS NULL;
-- Deletes ended batches.
CREATE INDEX batches_ended ON batches (ended_at) WHERE ended_at IS NOT NULL;

-- A request of an unfinished batch, and its answer until the answers are in the batch's files.
CREATE TABLE batch_lines (
  batch_id           uuid NOT NULL CONSTRAINT batch_lines_batch REFERENCES batches (batch_id) ON DELETE CASCADE,
  line               integer NOT NULL,
  account_id         uuid NOT NULL,
  custom_id          text NOT NULL,
  body               text NOT NULL,
  is_done            boolean NOT NULL DEFAULT false,
  attempt            integer NOT NULL DEFAULT 1,
  is_dispatched      boolean NOT NULL DEFAULT false,
  superseded_attempt integer,
  lost               integer NOT NULL DEFAULT 0,
  tries              integer NOT NULL DEFAULT 0,
  lease_owner        uuid,
  lease_epoch        integer NOT NULL DEFAULT 0,
  lease_until        timestamptz(3),
  due_at             timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', now()),
  status_code        integer,
  answer             text,
  PRIMARY KEY (batch_id, line)
);
CREATE UNIQUE INDEX batch_lines_custom_id ON batch_lines (batch_id, custom_id);
-- Claims the lines of an account.
CREATE INDEX batch_lines_due ON batch_lines (account_id, batch_id, line) WHERE NOT is_done AND lease_until IS NULL;
-- Finds lines with an earlier attempt that their customer must not pay.
CREATE INDEX batch_lines_lost ON batch_lines (batch_id)
  WHERE NOT is_done AND lease_until IS NULL AND (is_dispatched OR superseded_attempt IS NOT NULL);
-- Takes lines whose lease has expired; counts what an account has in progress.
CREATE INDEX batch_lines_leased ON batch_lines (account_id, lease_until) WHERE lease_until IS NOT NULL;

-- When a step of an account's batches was last taken.
CREATE TABLE batch_turns (
  account_id uuid PRIMARY KEY,
  stepped_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX batch_turns_stepped ON batch_turns (stepped_at);

-- The idempotency key of the creation of a batch.
CREATE TABLE batch_keys (
  project_id   uuid NOT NULL,
  scope        text NOT NULL,
  key          text NOT NULL,
  request_hash text NOT NULL,
  batch_id     uuid NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, scope, key)
);
CREATE INDEX batch_keys_created ON batch_keys (created_at);

-- --- Files -----------------------------------------------------------------------------------------------------------------

-- An uploaded file, or an output of a batch.
CREATE TABLE files (
  file_id     uuid PRIMARY KEY,
  account_id  uuid NOT NULL,
  project_id  uuid NOT NULL,
  customer_id uuid,
  purpose     text NOT NULL,
  filename    text NOT NULL DEFAULT '',
  bytes       bigint NOT NULL DEFAULT 0,
  parts       integer NOT NULL DEFAULT 0,
  is_complete boolean NOT NULL DEFAULT false,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  expires_at  timestamptz(3) NOT NULL
);
CREATE INDEX files_project ON files (project_id, file_id);
CREATE INDEX files_expiring ON files (expires_at);

-- A part of a file's bytes.
CREATE TABLE file_parts (
  file_id uuid NOT NULL CONSTRAINT file_parts_file REFERENCES files (file_id) ON DELETE CASCADE,
  part    integer NOT NULL,
  body    bytea NOT NULL,
  PRIMARY KEY (file_id, part)
);

-- The idempotency key of an upload.
CREATE TABLE file_keys (
  project_id   uuid NOT NULL,
  scope        text NOT NULL,
  key          text NOT NULL,
  request_hash text NOT NULL,
  file_id      uuid NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, scope, key)
);
CREATE INDEX file_keys_created ON file_keys (created_at);

-- --- Compiled plugins and skills -------------------------------------------------------------------------------------------

-- The result of compiling a plugin or skill, so that the same source is compiled once.
CREATE TABLE compiled_sources (
  key          text PRIMARY KEY,
  project_id   uuid NOT NULL,
  result       text NOT NULL,
  created_at   timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL
);
CREATE INDEX compiled_sources_last_used_at_idx ON compiled_sources (last_used_at);

-- --- Events ----------------------------------------------------------------------------------------------------------------

-- The outbox and the process that publishes it: OUTBOX_SQL of packages/events.
CREATE TABLE outbox (
  seq          bigint      GENERATED ALWAYS AS IDENTITY,
  id           uuid        NOT NULL,
  topic        text        NOT NULL,
  key          text        NOT NULL,
  type         text        NOT NULL,
  payload      bytea       NOT NULL,
  occurred_at  timestamptz NOT NULL DEFAULT now(),
  request_id   text,
  traceparent  text,
  published_at timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
CREATE UNIQUE INDEX outbox_unpublished ON outbox (seq) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;

CREATE TABLE outbox_lease (
  name       text        PRIMARY KEY,
  holder     uuid        NOT NULL,
  epoch      bigint      NOT NULL,
  expires_at timestamptz NOT NULL
);
