import type { Queryable } from '@tollgate/postgres';

/** The totals of an agent's run, over all of its nodes unless a field says otherwise. */
export interface AgentRunTotals {
  /** Model calls of the agent's own node. */
  steps: number;
  llmCalls: number;
  toolCalls: number;
  inputTokens: bigint;
  outputTokens: bigint;
  costMicrocents: bigint;
}

interface TotalsRow {
  steps: bigint;
  llm_calls: bigint;
  input_tokens: bigint;
  output_tokens: bigint;
  cost: bigint;
  tool_calls: bigint;
  tool_cost: bigint;
}

export async function readTotals(db: Queryable, runId: string, agentNodeId: string): Promise<AgentRunTotals> {
  const result = await db.query<TotalsRow>({
    name: 'agent_runs.totals',
    text: `
      SELECT s.*, t.* FROM (
        SELECT count(*) FILTER (WHERE node_id = $2 AND status = 'settled') AS steps,
               count(*) FILTER (WHERE status = 'settled') AS llm_calls,
               coalesce(sum(input_tokens), 0)::bigint AS input_tokens,
               coalesce(sum(output_tokens), 0)::bigint AS output_tokens,
               coalesce(sum(cost_microcents), 0)::bigint AS cost
        FROM run_steps WHERE run_id = $1) AS s, (
        SELECT count(*) AS tool_calls, coalesce(sum(cost_microcents), 0)::bigint AS tool_cost
        FROM run_tool_results WHERE run_id = $1) AS t`,
    values: [runId, agentNodeId],
  });
  const row = result.rows[0] as TotalsRow;
  return {
    steps: Number(row.steps),
    llmCalls: Number(row.llm_calls),
    toolCalls: Number(row.tool_calls),
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    costMicrocents: row.cost + row.tool_cost,
  };
}

/** Returns the messages of the last answer that a node received from its model, as JSON. */
export async function readLastAnswer(db: Queryable, runId: string, nodeId: string): Promise<string | undefined> {
  const result = await db.query<{ llm_response: string }>({
    name: 'agent_runs.last_answer',
    text: `SELECT llm_response FROM run_steps
           WHERE run_id = $1 AND node_id = $2 AND status = 'settled' AND llm_response IS NOT NULL
           ORDER BY step DESC, attempt DESC LIMIT 1`,
    values: [runId, nodeId],
  });
  const row = result.rows[0];
  if (!row) return undefined;
  return JSON.stringify((JSON.parse(row.llm_response) as { output: unknown }).output);
}
