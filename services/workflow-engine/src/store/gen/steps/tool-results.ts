// Generated from steps/tool-results.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertToolResultInput {
  runId: string;
  nodeId: string;
  step: number;
  position: number;
  toolCallId: string;
  name: string;
  output: string;
  errorCode: string | null;
  modelId: string | null;
  costMicrocents: bigint | number;
  mocksServed: number;
  mockKey: string | null;
  at: Date;
}

const INSERT_TOOL_RESULT = `
  INSERT INTO run_tool_results (run_id, node_id, step, position, tool_call_id, name, output, error_code, model_id, cost_microcents,
    mocks_served, mock_key, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
    $11, $12, $13)`;

/** Inserts the result of a tool call. A call with a result is never executed again. */
export async function insertToolResult(db: Queryable, input: InsertToolResultInput): Promise<void> {
  await db.query({
    name: 'insert_tool_result',
    text: INSERT_TOOL_RESULT,
    values: [
      input.runId,
      input.nodeId,
      input.step,
      input.position,
      input.toolCallId,
      input.name,
      input.output,
      input.errorCode,
      input.modelId,
      input.costMicrocents,
      input.mocksServed,
      input.mockKey,
      input.at,
    ],
  });
}
