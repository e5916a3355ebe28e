-- name: write_runs :many
-- Writes transitions of different runs, each with its rows of all tables. Excludes a transition whose run has changed since, whose
-- row or work is locked by another transaction, or whose work is not held any more. Waits for no lock.
-- Rows of the other packs name their run by `item`, its number from 1, so they find its values without a join.
-- Returns a row for each run that was written, with its new revision, and one for each piece of work that this process keeps.
-- type kind: WorkKind from domain/run/work-item
-- pack runs: item int, run_id uuid, project_id uuid, at timestamptz, last_seq int, event_count int, revision text?, work_id bigint?
-- pack runs: lease_epoch int?, ends_work bool, status text, outputs text?, error_code text?, error_message text?, ended_at timestamptz?
-- pack nodes: item int, node_id text, status text, is_queued bool, attempt int, started_at timestamptz?, ended_at timestamptz?
-- pack nodes: deadline_at timestamptz?, error_code text?, error_message text?, closed_to text
-- pack events: item int, nth int, type text, node_id text?, body text
-- pack artifacts: item int, node_id text, key text, bytes int, sha256 text, body text
-- pack dispatched: item int, node_id text, step int, attempt int, request_id uuid, model_id text, input_price bigint
-- pack dispatched: output_price bigint, image_price bigint, held_microcents bigint, llm_request text
-- pack ended: item int, node_id text, step int, attempt int, status text, provider text?, cost_microcents bigint?
-- pack ended: input_tokens bigint?, output_tokens bigint?, llm_response text?, error_code text?
-- pack outbox: item int, id uuid, topic text, key text, type text, payload bytea, occurred_at timestamptz, request_id text?
-- pack outbox: traceparent text?
-- pack work: item int, node_id text, delay_ms int, owner uuid?, lease_ms int?
WITH open AS (
  SELECT i.* FROM :runs AS i JOIN runs r ON r.run_id = i.run_id
  WHERE i.revision IS NULL OR r.xmin = i.revision::xid
  FOR UPDATE OF r SKIP LOCKED
), held AS (
  SELECT open.item FROM open
  JOIN run_work w ON w.work_id = open.work_id AND w.run_id = open.run_id AND w.lease_epoch = open.lease_epoch
  FOR UPDATE OF w SKIP LOCKED
), run AS (
  UPDATE runs r
  SET last_seq = r.last_seq + open.event_count, status = open.status, outputs = open.outputs,
    error_code = open.error_code, error_message = open.error_message, ended_at = open.ended_at
  FROM open
  WHERE r.run_id = open.run_id AND (open.work_id IS NULL OR open.item IN (SELECT item FROM held)) AND r.last_seq = open.last_seq
  RETURNING open.item, r.run_id, open.work_id, open.ends_work, r.ended_at, r.xmin::text AS revision
), finished AS (
  DELETE FROM run_work w USING run WHERE w.work_id = run.work_id AND run.ends_work AND run.ended_at IS NULL
), cleared AS (
  DELETE FROM run_work w USING run WHERE w.run_id = run.run_id AND run.ended_at IS NOT NULL
), nodes AS (
  UPDATE run_nodes n
  SET status = u.status, is_queued = u.is_queued, started_at = u.started_at, ended_at = u.ended_at, deadline_at = u.deadline_at,
    error_code = u.error_code, error_message = u.error_message, attempt = u.attempt, closed_to = u.closed_to::text[],
    first_step = CASE WHEN u.attempt = n.attempt THEN n.first_step ELSE (
      SELECT coalesce(max(s.step) + 1, 0) FROM run_steps s WHERE s.run_id = n.run_id AND s.node_id = n.node_id) END
  FROM :nodes AS u
  -- A hashed subplan: a join would compare each row with each run, because sessions of queues use nested loops only.
  -- IS TRUE keeps the planner from turning it into one, here and below.
  WHERE n.run_id = :runs.run_id[u.item] AND n.node_id = u.node_id AND (u.item IN (SELECT item FROM run)) IS TRUE
), events AS (
  INSERT INTO run_events (run_id, seq, ts, type, node_id, body)
  SELECT :runs.run_id[e.item], :runs.last_seq[e.item] + e.nth, :runs.at[e.item], e.type, e.node_id, e.body
  FROM :events AS e WHERE (e.item IN (SELECT item FROM run)) IS TRUE
), artifacts AS (
  INSERT INTO run_artifacts (run_id, node_id, key, bytes, sha256, body, created_at)
  SELECT :runs.run_id[a.item], a.node_id, a.key, a.bytes, a.sha256, a.body, :runs.at[a.item]
  FROM :artifacts AS a WHERE (a.item IN (SELECT item FROM run)) IS TRUE
  ON CONFLICT (run_id, node_id, key)
  DO UPDATE SET bytes = excluded.bytes, sha256 = excluded.sha256, body = excluded.body, created_at = excluded.created_at
), dispatched AS (
  INSERT INTO run_steps (run_id, node_id, step, attempt, request_id, status, model_id, input_price_per_million_cents,
    output_price_per_million_cents, price_per_image_cents, held_microcents, llm_request, created_at, dispatched_at)
  SELECT :runs.run_id[d.item], d.node_id, d.step, d.attempt, d.request_id, 'dispatched', d.model_id, d.input_price,
    d.output_price, d.image_price, d.held_microcents, d.llm_request, :runs.at[d.item], clock_timestamp()
  FROM :dispatched AS d WHERE (d.item IN (SELECT item FROM run)) IS TRUE
), ended AS (
  UPDATE run_steps t
  SET status = s.status, ended_at = :runs.at[s.item], provider = s.provider, cost_microcents = s.cost_microcents,
    input_tokens = s.input_tokens, output_tokens = s.output_tokens, llm_response = s.llm_response, error_code = s.error_code
  FROM :ended AS s
  WHERE t.run_id = :runs.run_id[s.item] AND t.node_id = s.node_id AND t.step = s.step AND t.attempt = s.attempt
    AND (s.item IN (SELECT item FROM run)) IS TRUE
), outbox_events AS (
  INSERT INTO outbox (id, topic, key, type, payload, occurred_at, request_id, traceparent)
  SELECT o.id, o.topic, o.key, o.type, o.payload, o.occurred_at, o.request_id, o.traceparent
  FROM :outbox AS o WHERE (o.item IN (SELECT item FROM run)) IS TRUE
), queued AS (
  INSERT INTO run_work (project_id, run_id, node_id, kind, run_at, lease_owner, lease_epoch, lease_until)
  SELECT :runs.project_id[w.item], :runs.run_id[w.item], w.node_id, 'node', now() + w.delay_ms * interval '1 ms',
    w.owner, CASE WHEN w.owner IS NULL THEN 0 ELSE 1 END, now() + w.lease_ms * interval '1 ms'
  FROM :work AS w WHERE (w.item IN (SELECT item FROM run)) IS TRUE
  RETURNING work_id, lease_epoch, kind, project_id, run_id, node_id, retries, waits
)
SELECT run_id AS "run_id!", revision, clock_timestamp() AS now, NULL::bigint AS work_id, NULL::int AS lease_epoch,
  NULL AS kind, NULL::uuid AS project_id, NULL AS node_id, NULL::int AS retries, NULL::int AS waits
FROM run
UNION ALL
SELECT run_id, NULL, NULL, work_id, lease_epoch, kind, project_id, node_id, retries, waits FROM queued WHERE lease_epoch > 0
