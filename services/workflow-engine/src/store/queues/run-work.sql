-- name: claim_work :many
-- Leases pieces of work: first those with an expired lease, then alarms, then due nodes. Walks the index of due nodes from project
-- to project, from `from` to the last one and from the first one to `from`, and reads the oldest rows of each.
-- type kind: WorkKind from domain/run/work-item
WITH RECURSIVE expired AS (
  SELECT work_id, 1 AS retry FROM run_work WHERE lease_until < now()
  ORDER BY lease_until LIMIT :max::int FOR UPDATE SKIP LOCKED
),
alarms AS (
  SELECT work_id, 0 AS retry FROM run_work WHERE lease_until IS NULL AND kind <> 'node' AND run_at <= now()
  ORDER BY run_at, work_id LIMIT :max::int FOR UPDATE SKIP LOCKED
),
walk AS (
  (SELECT project_id, 1 AS place FROM (
    SELECT project_id FROM run_work
    WHERE lease_until IS NULL AND kind = 'node' AND run_at <= now() AND project_id >= :from::uuid
    ORDER BY project_id LIMIT 1) AS first)
  UNION ALL
  SELECT next.project_id, walk.place + 1
  FROM walk, LATERAL (
    SELECT project_id FROM run_work
    WHERE lease_until IS NULL AND kind = 'node' AND run_at <= now() AND project_id > walk.project_id
    ORDER BY project_id LIMIT 1) AS next
  WHERE walk.place < 32 /* PROJECTS_PER_CLAIM */
),
wrapped AS (
  (SELECT project_id, (SELECT count(*)::int FROM walk) + 1 AS place FROM (
    SELECT project_id FROM run_work
    WHERE lease_until IS NULL AND kind = 'node' AND run_at <= now() AND project_id < :from::uuid
    ORDER BY project_id LIMIT 1) AS first)
  UNION ALL
  SELECT next.project_id, wrapped.place + 1
  FROM wrapped, LATERAL (
    SELECT project_id FROM run_work
    WHERE lease_until IS NULL AND kind = 'node' AND run_at <= now() AND project_id > wrapped.project_id AND project_id < :from::uuid
    ORDER BY project_id LIMIT 1) AS next
  WHERE wrapped.place < 32 /* PROJECTS_PER_CLAIM */
),
ranked AS (
  SELECT due.work_id, due.run_at, held.count + due.rank AS turn
  FROM (SELECT project_id FROM walk UNION ALL SELECT project_id FROM wrapped) AS projects
  CROSS JOIN LATERAL (
    -- A count of all leased rows of a project would grow with it. Beyond the limit, projects are equal.
    SELECT count(*) FROM (
      SELECT FROM run_work WHERE project_id = projects.project_id AND lease_until IS NOT NULL LIMIT 1000) AS counted) AS held
  CROSS JOIN LATERAL (
    SELECT work_id, run_at, row_number() OVER (ORDER BY run_at, work_id) AS rank
    FROM (
      -- Twice as many as are wanted: others may have locked some of them.
      SELECT work_id, run_at FROM run_work
      WHERE project_id = projects.project_id AND lease_until IS NULL AND kind = 'node' AND run_at <= now()
      ORDER BY run_at, work_id LIMIT 2 * :max::int) AS oldest) AS due
  ORDER BY turn, run_at, work_id LIMIT 2 * :max::int
),
ready AS (
  SELECT w.work_id, 0 AS retry FROM ranked JOIN run_work w USING (work_id)
  WHERE w.lease_until IS NULL ORDER BY ranked.turn, ranked.run_at, w.work_id LIMIT :max::int FOR UPDATE OF w SKIP LOCKED
),
picked AS (
  SELECT * FROM expired UNION ALL SELECT * FROM alarms UNION ALL SELECT * FROM ready LIMIT :max::int
)
UPDATE run_work w
SET lease_owner = :owner, lease_epoch = lease_epoch + 1, lease_until = now() + :lease_ms * interval '1 ms',
  retries = retries + picked.retry
FROM picked
WHERE w.work_id = picked.work_id
RETURNING w.work_id, w.lease_epoch, w.kind, w.project_id, w.run_id, w.node_id, w.retries, w.waits,
  (SELECT plan_hash FROM runs WHERE runs.run_id = w.run_id) AS "plan_hash!"

-- name: extend_work :many
-- Extends leases and returns the work that is still held. Waits for no lock: a locked row counts as held.
WITH held AS (
  SELECT * FROM unnest(:work_ids::bigint[], :epochs::int[]) AS h (work_id, epoch)
),
free AS (
  SELECT w.work_id
  FROM run_work w JOIN held h USING (work_id)
  WHERE w.lease_epoch = h.epoch AND w.lease_owner = :owner
  FOR UPDATE OF w SKIP LOCKED
),
extended AS (
  UPDATE run_work w SET lease_until = now() + :lease_ms * interval '1 ms' FROM free WHERE w.work_id = free.work_id
)
SELECT w.work_id FROM run_work w JOIN held h USING (work_id) WHERE w.lease_epoch = h.epoch AND w.lease_owner = :owner

-- name: put_back_work :execrows
-- Releases one piece of work, which is due again after a delay.
UPDATE run_work
SET lease_owner = NULL, lease_until = NULL, run_at = now() + :delay_ms * interval '1 ms',
  retries = retries + (:counts = 'retry')::int, waits = waits + (:counts = 'wait')::int
WHERE work_id = :work_id AND lease_epoch = :epoch AND lease_owner IS NOT NULL

-- name: insert_alarm :exec
-- Sets an alarm of a run or of one of its nodes.
INSERT INTO run_work (project_id, run_id, node_id, kind, run_at) VALUES (:project_id, :run_id, :node_id, :kind, :at)
