CREATE TABLE mcp_servers (
  id              uuid PRIMARY KEY,
  project_id      uuid NOT NULL,
  -- Agents and runs refer to the server by this name.
  name            text NOT NULL,
  endpoint_url    text NOT NULL,
  enabled         boolean NOT NULL,
  timeout_ms      integer NOT NULL,
  -- Empty = every tool.
  tools_allowlist text[] NOT NULL,
  -- The names of the headers in the sealed secret, in the clear.
  header_names    text[] NOT NULL,
  -- JSON of the headers.
  secret_key_id   text NOT NULL,
  secret_sealed   bytea NOT NULL,
  -- JSON of the tools as they were last listed. NULL = not listed since the last change. Not jsonb: that would refuse an
  -- escaped NUL in a tool's text.
  listing         text,
  listed_at       timestamptz(3),
  seq             bigserial NOT NULL,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at      timestamptz(3)
);
CREATE UNIQUE INDEX mcp_servers_living_name ON mcp_servers (project_id, name) WHERE deleted_at IS NULL;
CREATE INDEX mcp_servers_project_id_created_at_seq_idx ON mcp_servers (project_id, created_at, seq);

-- Calls of the servers' tools, so that no call is made again once its result is recorded. The key is a digest of the call.
CREATE TABLE mcp_calls (
  call_key      bytea PRIMARY KEY,
  -- JSON. NULL = the call is being made, or its outcome was lost when `claimed_until` passes.
  result        text,
  claimed_until timestamptz(3) NOT NULL,
  created_at    timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX mcp_calls_created_at_idx ON mcp_calls (created_at);
