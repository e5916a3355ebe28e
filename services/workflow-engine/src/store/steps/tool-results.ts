import type { Queryable, Tx } from '@tollgate/postgres';
import type { StepRef } from '../../domain/step/model-step.js';
import type { MockedCall } from '../../domain/tools/mocks.js';
import type { ToolResult } from '../../domain/tools/tool-calls.js';
import * as sql from '../gen/steps/tool-results.js';
import type { Journal } from './run-steps.js';

/** Results of a node's tool calls that the service executed, by step and position. */
export type ServerResults = ReadonlyMap<number, ReadonlyMap<number, ToolResult>>;

interface Row {
  step: number;
  position: number;
  tool_call_id: string;
  name: string;
  output: string;
}

export async function loadServerResults(
  tx: Tx,
  runId: string,
  nodeId: string,
  { firstStep, rows }: Pick<Journal, 'firstStep' | 'rows'>,
): Promise<ServerResults> {
  // Without a model call there are no tool calls.
  if (rows.length === 0) return new Map();
  const result = await tx.query<Row>({
    name: 'run_tool_results.load',
    text: `SELECT step, position, tool_call_id, name, output FROM run_tool_results
           WHERE run_id = $1 AND node_id = $2 AND step >= $3`,
    values: [runId, nodeId, firstStep],
  });
  const steps = new Map<number, Map<number, ToolResult>>();
  for (const { step, position, ...toolResult } of result.rows) {
    const results = steps.get(step) ?? new Map<number, ToolResult>();
    steps.set(step, results.set(position, toolResult));
  }
  return steps;
}

export interface NewToolResult extends ToolResult {
  position: number;
  errorCode: string | null;
  modelId: string | null;
  costMicrocents: bigint;
  /** Number of mock answers that the call used. */
  mocksServed: number;
  mockKey: string | null;
  at: Date;
}

/** Inserts the result of a tool call. A call with a result is never executed again. */
export async function insertToolResult(tx: Tx, step: StepRef, result: NewToolResult): Promise<void> {
  await sql.insertToolResult(tx, { ...step, ...result, toolCallId: result.tool_call_id });
}

/** Loads all tool calls of a run that the service answered, with the mocks that answered them. */
export async function loadMockedCalls(db: Queryable, runId: string): Promise<MockedCall[]> {
  const result = await db.query<{ name: string; mocks_served: number; mock_key: string | null }>({
    name: 'run_tool_results.mocked',
    text: `SELECT name, mocks_served, mock_key FROM run_tool_results
           WHERE run_id = $1 ORDER BY node_id, step, position`,
    values: [runId],
  });
  return result.rows.map(({ name, mocks_served, mock_key }) => ({ tool: name, served: mocks_served, key: mock_key }));
}
