-- name: insert_run :exec
-- Inserts the rows of a run, its nodes and its deadline.
-- pack nodes: node_id text, type text, position int
WITH run AS (
  INSERT INTO runs (run_id, project_id, customer_id, plan_hash, name, status, principal, session_id, input, model_override,
    created_at, traceparent, agents)
  VALUES (:run_id, :project_id, :customer_id?, :plan_hash, :name?, 'running', :principal, :session_id?, :input?, :model_override?,
    :now, :traceparent?, :agents?)
),
deadline AS (
  INSERT INTO run_work (project_id, run_id, node_id, kind, run_at) VALUES (:project_id, :run_id, '', 'run_deadline', :deadline_at)
)
INSERT INTO run_nodes (run_id, node_id, position, type, status, is_queued)
SELECT :run_id, n.node_id, n.position, n.type, 'pending', false FROM :nodes AS n

-- name: spawn_nodes :exec
-- Inserts the items or retries of nodes, at the position of their parent.
-- pack spawned: node_id text, parent_id text, item_index int?, type text, is_queued bool
INSERT INTO run_nodes (run_id, node_id, position, item_index, type, status, is_queued)
SELECT :run_id, s.node_id, p.position, s.item_index, s.type, 'pending', s.is_queued
FROM :spawned AS s JOIN run_nodes p ON p.run_id = :run_id AND p.node_id = s.parent_id
