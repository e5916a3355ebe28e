-- name: list_step_keys :many
-- Lists the latest attempts of a run's steps with their sizes, by node in the order of the spec, then by step.
SELECT s.node_id, s.step, s.attempt,
  coalesce(octet_length(s.llm_request), 0) + coalesce(octet_length(s.llm_response), 0) + coalesce(octet_length(s.tool_results), 0)
    AS "bytes!"
FROM (SELECT DISTINCT ON (node_id, step) * FROM run_steps WHERE run_id = :run_id ORDER BY node_id, step, attempt DESC) s
JOIN run_nodes n ON n.run_id = :run_id AND n.node_id = s.node_id
ORDER BY n.position, n.item_index NULLS FIRST, s.step
LIMIT :limit OFFSET :offset

-- name: read_step_records :many
-- Reads attempts of a run's steps, in the order of the keys.
SELECT s.node_id, s.step, s.attempt, s.request_id, s.status, s.model_id, s.provider, s.llm_request, s.llm_response, s.tool_results,
  s.error_code, s.created_at, s.ended_at
FROM unnest(:node_ids::text[], :steps::int[], :attempts::int[]) WITH ORDINALITY AS k (node_id, step, attempt, place)
JOIN run_steps s ON s.run_id = :run_id AND s.node_id = k.node_id AND s.step = k.step AND s.attempt = k.attempt
ORDER BY k.place

-- name: read_step_results :many
-- Reads the results of tool calls of a run's steps.
SELECT r.node_id, r.step, r.position, r.tool_call_id, r.name, r.output
FROM unnest(:node_ids::text[], :steps::int[]) AS k (node_id, step)
JOIN run_tool_results r ON r.run_id = :run_id AND r.node_id = k.node_id AND r.step = k.step
