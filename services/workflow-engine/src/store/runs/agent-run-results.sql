-- name: read_totals :one
-- Adds up the calls of an agent's run; `steps` are those of the agent's own node.
SELECT s.steps AS "steps!", s.llm_calls AS "llmCalls!", t.tool_calls AS "toolCalls!", s.input_tokens AS "inputTokens!",
  s.output_tokens AS "outputTokens!", s.cost + t.cost AS "costMicrocents!"
FROM (
  SELECT count(*) FILTER (WHERE node_id = :agent_node_id AND status = 'settled')::int AS steps,
    count(*) FILTER (WHERE status = 'settled')::int AS llm_calls,
    coalesce(sum(input_tokens), 0)::bigint AS input_tokens,
    coalesce(sum(output_tokens), 0)::bigint AS output_tokens,
    coalesce(sum(cost_microcents), 0)::bigint AS cost
  FROM run_steps
  WHERE run_id = :run_id) AS s, (
  SELECT count(*)::int AS tool_calls, coalesce(sum(cost_microcents), 0)::bigint AS cost
  FROM run_tool_results
  WHERE run_id = :run_id) AS t
