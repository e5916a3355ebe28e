CREATE TABLE tool_hooks (
  id              uuid PRIMARY KEY,
  project_id      uuid NOT NULL,
  -- pre_tool_use, post_tool_use or tool_execute.
  hook_type       text NOT NULL CHECK (hook_type IN ('pre_tool_use', 'post_tool_use', 'tool_execute')),
  endpoint_url    text NOT NULL,
  enabled         boolean NOT NULL,
  timeout_ms      integer NOT NULL,
  -- fail_closed or fail_open.
  fail_behavior   text NOT NULL CHECK (fail_behavior IN ('fail_closed', 'fail_open')),
  -- Empty = every tool.
  tools_allowlist text[] NOT NULL,
  allow_mutation  boolean NOT NULL,
  secret_key_id   text NOT NULL,
  secret_sealed   bytea NOT NULL,
  -- Hooks are asked in the order of their creation; two of one millisecond in this one.
  seq             bigserial NOT NULL,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  -- The row stays until its events are swept.
  deleted_at      timestamptz(3)
);
CREATE INDEX tool_hooks_project_id_created_at_seq_idx ON tool_hooks (project_id, created_at, seq);

-- The event log: one row per call of a hook's endpoint.
CREATE TABLE tool_hook_events (
  id              uuid PRIMARY KEY,
  -- Order of the log.
  seq             bigserial NOT NULL,
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

-- What was decided, so that the same question is not asked twice. The key is a digest of the question.
CREATE TABLE tool_hook_journal (
  question   bytea PRIMARY KEY,
  -- JSON. Not jsonb: that would refuse an escaped NUL in a tool's text.
  answer     text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX tool_hook_journal_created_at_idx ON tool_hook_journal (created_at);
