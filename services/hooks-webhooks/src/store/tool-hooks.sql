-- name: insert_tool_hook_row :execrows
-- Inserts nothing when the project has `max` tool hooks.
INSERT INTO tool_hooks (id, project_id, hook_type, endpoint_url, enabled, timeout_ms, fail_behavior, tools_allowlist,
  allow_mutation, secret_key_id, secret_sealed, created_at, updated_at)
SELECT :id, :project_id, :hook_type, :endpoint_url, :enabled, :timeout_ms, :fail_behavior, :tools_allowlist,
  :allow_mutation, :secret_key_id, :secret_sealed, :created_at, :updated_at
WHERE (SELECT count(*) FROM tool_hooks WHERE project_id = :project_id AND deleted_at IS NULL) < :max;

-- name: change_tool_hook :one
-- Keeps the secret that is null.
-- type hook_type: ToolHookType from domain/tool-hooks/tool-hook
-- type fail_behavior: FailBehavior from domain/tool-hooks/tool-hook
UPDATE tool_hooks
SET endpoint_url = :endpoint_url, enabled = :enabled, timeout_ms = :timeout_ms, fail_behavior = :fail_behavior,
  tools_allowlist = :tools_allowlist, allow_mutation = :allow_mutation, updated_at = :updated_at,
  secret_key_id = coalesce(:secret_key_id?, secret_key_id), secret_sealed = coalesce(:secret_sealed?, secret_sealed)
WHERE id = :id AND project_id = :project_id AND deleted_at IS NULL
RETURNING id, project_id, hook_type, endpoint_url, enabled, timeout_ms, fail_behavior, tools_allowlist, allow_mutation,
  secret_key_id, secret_sealed, created_at, updated_at;

-- name: insert_tool_hook_event :exec
INSERT INTO tool_hook_events
  (id, hook_id, request_id, tool_call_id, status, response_status, response_body, latency_ms, error, created_at)
VALUES (:id, :hook_id, :request_id, :tool_call_id, :status, :response_status?, :response_body, :latency_ms, :error?, :created_at)
