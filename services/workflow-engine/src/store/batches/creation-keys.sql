-- name: claim_batch_key :execrows
-- Claims a key, unless a request of the last day has it.
INSERT INTO batch_keys AS k (project_id, scope, key, request_hash, batch_id)
VALUES (:project_id, :scope, :key, :request_hash, :id)
ON CONFLICT (project_id, scope, key) DO UPDATE
SET request_hash = excluded.request_hash, batch_id = excluded.batch_id, created_at = now()
WHERE k.created_at < now() - interval '24 hours'

-- name: claim_file_key :execrows
-- Claims a key, unless a request of the last day has it.
INSERT INTO file_keys AS k (project_id, scope, key, request_hash, file_id)
VALUES (:project_id, :scope, :key, :request_hash, :id)
ON CONFLICT (project_id, scope, key) DO UPDATE
SET request_hash = excluded.request_hash, file_id = excluded.file_id, created_at = now()
WHERE k.created_at < now() - interval '24 hours'
