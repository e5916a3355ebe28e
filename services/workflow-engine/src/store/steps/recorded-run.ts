import type { Queryable, Tx } from '@tollgate/postgres';
import type { StepRef } from '../../domain/step/model-step.js';
import type { StepStatus } from '../../domain/step/next-attempt.js';
import * as sql from '../gen/steps/run-steps.js';

/** A model step of a recorded run. */
export interface RecordedStep {
  status: StepStatus;
  modelId: string | null;
  provider: string | null;
  llmRequest: string | null;
  llmResponse: string | null;
  inputTokens: bigint;
  outputTokens: bigint;
  errorCode: string | null;
}

interface StepRow {
  status: StepStatus;
  model_id: string | null;
  provider: string | null;
  llm_request: string | null;
  llm_response: string | null;
  input_tokens: bigint | null;
  output_tokens: bigint | null;
  error_code: string | null;
}

/** Loads the latest attempt of a recorded step. */
export async function loadRecordedStep(
  db: Queryable,
  step: Omit<StepRef, 'attempt'>,
): Promise<RecordedStep | undefined> {
  const result = await db.query<StepRow>({
    name: 'run_steps.recorded',
    text: `SELECT status, model_id, provider, llm_request, llm_response, input_tokens, output_tokens, error_code
           FROM run_steps WHERE run_id = $1 AND node_id = $2 AND step = $3 ORDER BY attempt DESC LIMIT 1`,
    values: [step.runId, step.nodeId, step.step],
  });
  const row = result.rows[0];
  return (
    row && {
      status: row.status,
      modelId: row.model_id,
      provider: row.provider,
      llmRequest: row.llm_request,
      llmResponse: row.llm_response,
      inputTokens: row.input_tokens ?? 0n,
      outputTokens: row.output_tokens ?? 0n,
      errorCode: row.error_code,
    }
  );
}

/** Stores a recorded request with the step. Nothing was held and nothing was sent. */
export async function markRecorded(
  tx: Tx,
  step: StepRef,
  { modelId, llmRequest }: Pick<RecordedStep, 'modelId' | 'llmRequest'>,
): Promise<void> {
  await sql.markRecorded(tx, { ...step, modelId, llmRequest });
}

/** Loads the failure of a node of a recorded run. */
export async function loadRecordedFailure(
  db: Queryable,
  runId: string,
  nodeId: string,
): Promise<{ code: string; message: string } | undefined> {
  const result = await db.query<{ error_code: string | null; error_message: string | null }>({
    name: 'run_nodes.recorded_failure',
    text: 'SELECT error_code, error_message FROM run_nodes WHERE run_id = $1 AND node_id = $2',
    values: [runId, nodeId],
  });
  const row = result.rows[0];
  return row?.error_code ? { code: row.error_code, message: row.error_message ?? '' } : undefined;
}

export interface RecordedResult {
  output: string;
  errorCode: string | null;
}

/** Loads the result of one tool call of a recorded run. */
export async function loadRecordedResult(
  db: Queryable,
  call: { runId: string; nodeId: string; step: number; position: number },
): Promise<RecordedResult | undefined> {
  const result = await db.query<{ output: string; error_code: string | null }>({
    name: 'run_tool_results.recorded',
    text: `SELECT output, error_code FROM run_tool_results
           WHERE run_id = $1 AND node_id = $2 AND step = $3 AND position = $4`,
    values: [call.runId, call.nodeId, call.step, call.position],
  });
  const row = result.rows[0];
  return row && { output: row.output, errorCode: row.error_code };
}
