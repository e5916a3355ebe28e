-- name: keep_compiled :one
-- Stores a result unless another process was faster. Returns the stored result, so that all callers get the same.
INSERT INTO compiled_sources (key, project_id, result, created_at, last_used_at) VALUES (:key, :project_id, :result, :now, :now)
ON CONFLICT (key) DO UPDATE SET last_used_at = excluded.last_used_at
RETURNING result
