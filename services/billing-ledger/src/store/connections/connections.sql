-- name: insert_connection :execrows
-- Inserts a connection unless the project has `max`. The caller has locked the project's connections.
INSERT INTO connections (id, project_id, name, mode, entry, models, secret_key_id, secret_sealed, created_at, updated_at)
SELECT :id::uuid, :project_id::uuid, :name::text, :mode::text, :entry::text::jsonb, :models::text::jsonb,
  :secret_key_id::text, :secret_sealed::bytea, :now::timestamptz, :now
WHERE (SELECT count(*) FROM connections WHERE project_id = :project_id) < :max::int

-- name: update_connection :execrows
-- Replaces the settings of the version that they were made from.
UPDATE connections
SET name = :name, mode = :mode, entry = :entry::text::jsonb, models = :models::text::jsonb, secret_key_id = :secret_key_id,
  secret_sealed = :secret_sealed, updated_at = :now, version = version + 1
WHERE id = :id AND project_id = :project_id AND version = :version
