-- The tables of commit 83ba954b, before which migrations are squashed. ../../schema.prisma says what each table and column is.
-- A database with all of the migrations below has these tables: there, this file is only recorded.
-- upgrade through commit 83ba954b
-- replaces 20261120150000_agents
-- replaces 20261121003001_tool_state
-- replaces 20261121003002_sessions
-- replaces 20261121003003_sql_profiles
-- replaces 20261122091000_session_message_ids
-- replaces 20261122100000_customer_memories
-- replaces 20261123150000_agent_input_schema

-- --- Agents ----------------------------------------------------------------------------------------------------------------

-- An agent of a project: a name for a line of revisions.
CREATE TABLE agents (
  id               uuid PRIMARY KEY,
  project_id       uuid NOT NULL,
  slug             text NOT NULL,
  name             text NOT NULL,
  description      text NOT NULL,
  current_revision integer NOT NULL,
  created_at       timestamptz(3) NOT NULL,
  updated_at       timestamptz(3) NOT NULL,
  deleted_at       timestamptz(3)
);
CREATE INDEX agents_project_id_created_at_id_idx ON agents (project_id, created_at, id);
-- Finds an agent by its slug; a deleted agent frees its slug.
CREATE UNIQUE INDEX agents_living_slug ON agents (project_id, slug) WHERE deleted_at IS NULL;

-- The configuration of an agent at one time: model, instructions, tools and limits.
CREATE TABLE agent_revisions (
  agent_id            uuid NOT NULL REFERENCES agents (id) ON DELETE RESTRICT,
  revision            integer NOT NULL,
  system              text NOT NULL,
  model               text NOT NULL,
  tools               json NOT NULL,
  fragments           json NOT NULL,
  max_steps           integer NOT NULL,
  max_duration_sec    integer NOT NULL,
  step_timeout_sec    integer NOT NULL,
  tool_failure_policy text NOT NULL,
  tool_retry_count    integer,
  created_at          timestamptz(3) NOT NULL,
  input_schema        json,
  PRIMARY KEY (agent_id, revision)
);

-- The agent's own document.
CREATE TABLE agent_memories (
  agent_id   uuid PRIMARY KEY REFERENCES agents (id) ON DELETE RESTRICT,
  content    text NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

-- The agent's document about one customer.
CREATE TABLE agent_customer_memories (
  agent_id    uuid NOT NULL REFERENCES agents (id) ON DELETE RESTRICT,
  customer_id uuid NOT NULL,
  content     text NOT NULL,
  updated_at  timestamptz(3) NOT NULL,
  PRIMARY KEY (agent_id, customer_id)
);
CREATE INDEX agent_customer_memories_customer_id_idx ON agent_customer_memories (customer_id);

-- A deleted customer: keeps a late write from restoring the customer's memory.
CREATE TABLE deleted_customers (
  customer_id uuid PRIMARY KEY,
  deleted_at  timestamptz(3) NOT NULL
);
CREATE INDEX deleted_customers_deleted_at_idx ON deleted_customers (deleted_at);

-- --- Sessions and state ----------------------------------------------------------------------------------------------------

-- A conversation of runs: its messages and the state of its tools.
CREATE TABLE sessions (
  id            uuid PRIMARY KEY,
  project_id    uuid NOT NULL,
  customer_id   uuid,
  metadata      json NOT NULL,
  tool_state    json NOT NULL,
  message_count integer NOT NULL,
  message_bytes integer NOT NULL,
  created_at    timestamptz(3) NOT NULL,
  updated_at    timestamptz(3) NOT NULL
);
CREATE INDEX sessions_project_id_created_at_id_idx ON sessions (project_id, created_at, id);
CREATE INDEX sessions_project_id_customer_id_created_at_id_idx ON sessions (project_id, customer_id, created_at, id);

-- A message of a session, in the order of `seq`.
CREATE TABLE session_messages (
  session_id uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  seq        integer NOT NULL,
  id         uuid NOT NULL,
  role       text NOT NULL,
  content    json NOT NULL,
  run_id     uuid,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (session_id, seq)
);
CREATE UNIQUE INDEX session_messages_session_id_id_key ON session_messages (session_id, id);

-- A place for the state of tools in runs without a session.
CREATE TABLE state_handles (
  id          uuid PRIMARY KEY,
  project_id  uuid NOT NULL,
  customer_id uuid,
  created_at  timestamptz(3) NOT NULL,
  expires_at  timestamptz(3)
);
CREATE INDEX state_handles_project_id_created_at_id_idx ON state_handles (project_id, created_at, id);
CREATE INDEX state_handles_project_id_customer_id_created_at_id_idx ON state_handles (project_id, customer_id, created_at, id);
CREATE INDEX state_handles_expires_at_idx ON state_handles (expires_at);

-- The state of the key-value and task tools; no row: empty.
CREATE TABLE state_handle_contents (
  state_id uuid PRIMARY KEY REFERENCES state_handles (id) ON DELETE CASCADE,
  state    json NOT NULL
);

-- --- SQL profiles ----------------------------------------------------------------------------------------------------------

-- A policy for the statements that the SQL tool of a project's agents may run.
CREATE TABLE sql_profiles (
  id         uuid PRIMARY KEY,
  project_id uuid NOT NULL,
  name       text NOT NULL,
  policy     json NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX sql_profiles_project_id_created_at_id_idx ON sql_profiles (project_id, created_at, id);

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
