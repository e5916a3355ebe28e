-- name: claim_run_key :execrows
-- Claims a key, unless a run of the last day has it.
INSERT INTO run_keys AS k (project_id, scope, key, request_hash, run_id)
VALUES (:project_id, :scope, :key, :request_hash, :run_id)
ON CONFLICT (project_id, scope, key) DO UPDATE
SET request_hash = excluded.request_hash, run_id = excluded.run_id, created_at = now()
WHERE k.created_at < now() - interval '24 hours'

-- name: take_run_key_over :execrows
-- Takes a key over from the run that holds it.
UPDATE run_keys
SET request_hash = :request_hash, run_id = :to, created_at = now()
WHERE project_id = :project_id AND scope = :scope AND key = :key AND run_id = :from
