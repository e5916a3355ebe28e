-- name: insert_tool_result :exec
-- Inserts the result of a tool call. A call with a result is never executed again.
INSERT INTO run_tool_results (run_id, node_id, step, position, tool_call_id, name, output, error_code, model_id, cost_microcents,
  mocks_served, mock_key, created_at)
VALUES (:run_id, :node_id, :step, :position, :tool_call_id, :name, :output, :error_code?, :model_id?, :cost_microcents,
  :mocks_served, :mock_key?, :at)
