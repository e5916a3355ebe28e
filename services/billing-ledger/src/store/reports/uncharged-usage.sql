-- name: list_uncharged :many
-- Lists the requests of a project with usage that no customer paid for, newest first. `id` is the hold, `request_id` the request
-- as the client knows it.
-- unprepared: its filters are optional.
SELECT request_id AS id, terms->>'publicRequestId' AS "request_id!", customer_id, model_id,
  coalesce(overrun_microcents, 0)::bigint AS "overrun_microcents!",
  coalesce(unreconciled_microcents, 0)::bigint AS "unreconciled_microcents!", settled_at AS "settled_at!"
FROM holds
WHERE owner_account_id = :owner_account_id AND (overrun_microcents > 0 OR unreconciled_microcents > 0)
  AND terms->>'projectId' = :project_id AND (:customer_id?::uuid IS NULL OR customer_id = :customer_id?)
  AND (:kind?::text IS NULL OR CASE :kind? WHEN 'overrun' THEN overrun_microcents ELSE unreconciled_microcents END > 0)
  AND (:after_settled_at?::timestamptz IS NULL OR (settled_at, request_id) < (:after_settled_at?, :after_id?::uuid))
ORDER BY settled_at DESC, request_id DESC
LIMIT :take
