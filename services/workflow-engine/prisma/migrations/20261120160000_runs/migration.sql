CREATE TABLE plans (
  project_id uuid           NOT NULL,
  plan_hash  text           NOT NULL,
  plan       text           NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT plans_pkey PRIMARY KEY (project_id, plan_hash)
);

-- Every event of a run updates last_seq: room on the page and no index on what changes keep these updates heap-only.
CREATE TABLE runs (
  run_id         uuid           NOT NULL,
  project_id     uuid           NOT NULL,
  customer_id    uuid,
  plan_hash      text           NOT NULL,
  name           text,
  status         text           NOT NULL,
  principal      bytea          NOT NULL,
  session_id     uuid,
  input          text,
  model_override text,
  last_seq       integer        NOT NULL DEFAULT 0,
  outputs        text,
  error_code     text,
  error_message  text,
  created_at     timestamptz(3) NOT NULL,
  ended_at       timestamptz(3),
  CONSTRAINT runs_pkey PRIMARY KEY (run_id),
  CONSTRAINT runs_status CHECK (status IN ('running', 'waiting', 'succeeded', 'failed', 'canceled')),
  CONSTRAINT runs_ended CHECK ((ended_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'canceled')))
) WITH (fillfactor = 70);
CREATE INDEX runs_by_project ON runs (project_id, created_at DESC, run_id DESC);
CREATE INDEX runs_by_customer ON runs (project_id, customer_id, created_at DESC, run_id DESC);

CREATE TABLE run_nodes (
  run_id        uuid           NOT NULL,
  node_id       text           NOT NULL,
  position      integer        NOT NULL,
  type          text           NOT NULL,
  status        text           NOT NULL,
  is_queued     boolean        NOT NULL,
  started_at    timestamptz(3),
  ended_at      timestamptz(3),
  deadline_at   timestamptz(3),
  error_code    text,
  error_message text,
  CONSTRAINT run_nodes_pkey PRIMARY KEY (run_id, node_id),
  CONSTRAINT run_nodes_status CHECK (status IN ('pending', 'running', 'waiting', 'succeeded', 'failed', 'canceled'))
) WITH (fillfactor = 70);

CREATE TABLE run_steps (
  run_id                         uuid           NOT NULL,
  node_id                        text           NOT NULL,
  step                           integer        NOT NULL,
  attempt                        integer        NOT NULL,
  request_id                     uuid           NOT NULL,
  status                         text           NOT NULL,
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
  CONSTRAINT run_steps_pkey PRIMARY KEY (run_id, node_id, step, attempt),
  CONSTRAINT run_steps_status CHECK (status IN ('intent', 'dispatched', 'settled', 'failed', 'ambiguous', 'dropped')),
  CONSTRAINT run_steps_dispatched CHECK (status IN ('intent', 'dropped', 'failed') OR dispatched_at IS NOT NULL)
) WITH (fillfactor = 80);

CREATE TABLE run_artifacts (
  run_id     uuid           NOT NULL,
  node_id    text           NOT NULL,
  key        text           NOT NULL,
  bytes      integer        NOT NULL,
  sha256     text           NOT NULL,
  body       text           NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT run_artifacts_pkey PRIMARY KEY (run_id, node_id, key)
);

CREATE TABLE run_events (
  run_id  uuid           NOT NULL,
  seq     integer        NOT NULL,
  ts      timestamptz(3) NOT NULL,
  type    text           NOT NULL,
  node_id text,
  body    text           NOT NULL,
  PRIMARY KEY (run_id, seq)
);

-- The queue: narrow, and a row is gone once its work is done. Unique, so that nothing is ever queued twice.
CREATE TABLE run_work (
  work_id     bigint      GENERATED ALWAYS AS IDENTITY,
  project_id  uuid        NOT NULL,
  run_id      uuid        NOT NULL,
  node_id     text        NOT NULL,
  kind        text        NOT NULL,
  run_at      timestamptz NOT NULL,
  lease_owner uuid,
  lease_epoch integer     NOT NULL DEFAULT 0,
  lease_until timestamptz,
  retries    integer     NOT NULL DEFAULT 0,
  PRIMARY KEY (work_id),
  CONSTRAINT run_work_once UNIQUE (run_id, node_id, kind),
  CONSTRAINT run_work_kind CHECK (kind IN ('node', 'run_deadline', 'wait_deadline')),
  CONSTRAINT run_work_leased CHECK ((lease_owner IS NULL) = (lease_until IS NULL))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
CREATE INDEX run_work_ready ON run_work (run_at, work_id) WHERE lease_until IS NULL;
CREATE INDEX run_work_expiring ON run_work (lease_until) WHERE lease_until IS NOT NULL;

-- Idempotency keys of run creation; `scope` is the customer's id, or `project`.
CREATE TABLE run_keys (
  project_id   uuid        NOT NULL,
  scope        text        NOT NULL,
  key          text        NOT NULL,
  request_hash text        NOT NULL,
  run_id       uuid        NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, scope, key)
);
CREATE INDEX run_keys_age ON run_keys (created_at);

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
