// Generated from runs/agent-run-results.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface ReadTotalsInput {
  agentNodeId: string;
  runId: string;
}

export interface ReadTotalsRow {
  steps: number;
  llmCalls: number;
  toolCalls: number;
  inputTokens: bigint;
  outputTokens: bigint;
  costMicrocents: bigint;
}

const READ_TOTALS = `
  SELECT s.steps AS "steps", s.llm_calls AS "llmCalls", t.tool_calls AS "toolCalls", s.input_tokens AS "inputTokens",
    s.output_tokens AS "outputTokens", s.cost + t.cost AS "costMicrocents"
  FROM (
    SELECT count(*) FILTER (WHERE node_id = $1 AND status = 'settled')::int AS steps,
      count(*) FILTER (WHERE status = 'settled')::int AS llm_calls,
      coalesce(sum(input_tokens), 0)::bigint AS input_tokens,
      coalesce(sum(output_tokens), 0)::bigint AS output_tokens,
      coalesce(sum(cost_microcents), 0)::bigint AS cost
    FROM run_steps
    WHERE run_id = $2) AS s, (
    SELECT count(*)::int AS tool_calls, coalesce(sum(cost_microcents), 0)::bigint AS cost
    FROM run_tool_results
    WHERE run_id = $2) AS t`;

/** Adds up the calls of an agent's run; `steps` are those of the agent's own node. */
export async function readTotals(db: Queryable, input: ReadTotalsInput): Promise<ReadTotalsRow | undefined> {
  const { rows } = await db.query<ReadTotalsRow>({
    name: 'read_totals',
    text: READ_TOTALS,
    values: [
      input.agentNodeId,
      input.runId,
    ],
  });
  return rows[0];
}
