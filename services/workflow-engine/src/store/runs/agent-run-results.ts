import type { Queryable } from '@tollgate/postgres';
import * as sql from '../gen/runs/agent-run-results.js';

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

export async function readTotals(db: Queryable, runId: string, agentNodeId: string): Promise<AgentRunTotals> {
  return (await sql.readTotals(db, { runId, agentNodeId }))!;
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
