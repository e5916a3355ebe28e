-- name: claim_blocks :many
-- Claims the blocks without an event in the last 15 minutes (SPEC) and returns them. Of concurrent callers, one claims a block.
INSERT INTO admission_blocks AS b (project_id, refusal_code)
SELECT DISTINCT t.project_id, t.code
FROM unnest(:project_ids::uuid[], :refusal_codes::text[]) AS t (project_id, code)
WHERE NOT EXISTS (
  SELECT 1 FROM admission_blocks seen
  WHERE seen.project_id = t.project_id AND seen.refusal_code = t.code AND seen.told_at > now() - interval '15 minutes'
)
-- One order, so that concurrent claims cannot deadlock.
ORDER BY 1, 2
ON CONFLICT (project_id, refusal_code) DO UPDATE SET told_at = now() WHERE b.told_at <= now() - interval '15 minutes'
RETURNING project_id AS "projectId", refusal_code AS "refusalCode"
