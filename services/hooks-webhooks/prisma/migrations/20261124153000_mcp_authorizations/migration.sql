-- The account at an authorization server that an MCP server is connected to.
CREATE TABLE mcp_authorizations (
  -- The server's.
  id               uuid PRIMARY KEY,
  project_id       uuid NOT NULL,
  -- The tokens are sent to this origin only.
  endpoint_origin  text NOT NULL,
  -- authorized, or authorization_required when the tokens are no longer accepted.
  status           text NOT NULL,
  -- JSON of the client, the authorization server and the tokens.
  secret_key_id    text NOT NULL,
  secret_sealed    bytea NOT NULL,
  -- Of the access token. NULL = unknown.
  expires_at       timestamptz(3),
  -- Counts the tokens: what is based on earlier ones changes nothing.
  generation       integer NOT NULL,
  -- Until then a process is refreshing the tokens.
  refreshing_until timestamptz(3),
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  updated_at       timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX mcp_authorizations_project_id_idx ON mcp_authorizations (project_id);

-- Authorizations that an owner has started, until the code returns or they expire.
CREATE TABLE mcp_authorization_attempts (
  state_hash      bytea PRIMARY KEY,
  server_id       uuid NOT NULL,
  project_id      uuid NOT NULL,
  user_id         text NOT NULL,
  -- Only this session completes it.
  session_id      text NOT NULL,
  endpoint_origin text NOT NULL,
  secret_key_id   text NOT NULL,
  secret_sealed   bytea NOT NULL,
  expires_at      timestamptz(3) NOT NULL
);
CREATE INDEX mcp_authorization_attempts_expires_at_idx ON mcp_authorization_attempts (expires_at);
CREATE INDEX mcp_authorization_attempts_server_id_idx ON mcp_authorization_attempts (server_id);
