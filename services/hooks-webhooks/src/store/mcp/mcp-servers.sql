-- name: insert_mcp_server_row :exec
INSERT INTO mcp_servers (id, project_id, name, endpoint_url, enabled, timeout_ms, tools_allowlist, header_names,
  secret_key_id, secret_sealed, created_at, updated_at)
VALUES (:id, :project_id, :name, :endpoint_url, :enabled, :timeout_ms, :tools_allowlist, :header_names,
  :secret_key_id, :secret_sealed, :created_at, :updated_at);

-- name: store_mcp_listing :exec
UPDATE mcp_servers SET listing = :listing, listed_at = :listed_at
WHERE id = :id AND project_id = :project_id AND updated_at = :updated_at;

-- name: change_mcp_server :one
-- Keeps credentials that are null.
UPDATE mcp_servers
SET endpoint_url = :endpoint_url, enabled = :enabled, timeout_ms = :timeout_ms, tools_allowlist = :tools_allowlist,
  header_names = coalesce(:header_names?, header_names), secret_key_id = coalesce(:secret_key_id?, secret_key_id),
  secret_sealed = coalesce(:secret_sealed?, secret_sealed), listing = NULL, listed_at = NULL,
  -- A later time than before, even within a millisecond: other changes are based on it.
  updated_at = greatest(:updated_at, updated_at + interval '1 millisecond')
WHERE id = :id AND project_id = :project_id AND deleted_at IS NULL AND updated_at = :based_on
RETURNING id, project_id, name, endpoint_url, enabled, timeout_ms, tools_allowlist, header_names, secret_key_id, secret_sealed,
  created_at, updated_at, (SELECT status FROM mcp_authorizations a WHERE a.id = mcp_servers.id) AS authorization_status,
  (SELECT endpoint_origin FROM mcp_authorizations a WHERE a.id = mcp_servers.id) AS authorization_origin
