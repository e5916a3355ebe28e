-- name: put_mcp_authorization_row :exec
INSERT INTO mcp_authorizations (id, project_id, endpoint_origin, status, secret_key_id, secret_sealed, expires_at, generation)
SELECT id, project_id, :endpoint_origin, 'authorized', :secret_key_id, :secret_sealed, :expires_at?, 1
FROM mcp_servers WHERE id = :id AND project_id = :project_id AND deleted_at IS NULL FOR SHARE
ON CONFLICT (id) DO UPDATE
SET endpoint_origin = excluded.endpoint_origin, status = excluded.status, secret_key_id = excluded.secret_key_id,
  secret_sealed = excluded.secret_sealed, expires_at = excluded.expires_at, generation = mcp_authorizations.generation + 1,
  refreshing_until = NULL, updated_at = now();

-- name: store_refreshed_tokens :execrows
UPDATE mcp_authorizations
SET secret_key_id = :secret_key_id, secret_sealed = :secret_sealed, expires_at = :expires_at?, generation = generation + 1,
  refreshing_until = NULL, updated_at = now()
WHERE id = :id AND generation = :generation;

-- name: insert_authorization_attempt :execrows
INSERT INTO mcp_authorization_attempts (state_hash, server_id, project_id, user_id, session_id, endpoint_origin, secret_key_id,
  secret_sealed, expires_at)
SELECT :state_hash, :server_id, :project_id, :user_id, :session_id, :endpoint_origin, :secret_key_id, :secret_sealed,
  now() + :ttl_ms * interval '1 ms'
WHERE (SELECT count(*) FROM mcp_authorization_attempts WHERE server_id = :server_id AND expires_at > now()) < :max;

-- name: take_authorization_attempt :one
DELETE FROM mcp_authorization_attempts
WHERE state_hash = :state_hash AND server_id = :server_id AND project_id = :project_id AND user_id = :user_id
  AND session_id = :session_id AND expires_at > now()
RETURNING endpoint_origin, secret_key_id, secret_sealed
