import type { Queryable } from '@tollgate/postgres';
import type { ToolResult } from '../../domain/tools/tool-calls.js';
import * as sql from '../gen/steps/read-steps.js';

/** The latest attempt of a model step. */
export interface StepRecord {
  nodeId: string;
  step: number;
  attempt: number;
  holdId: string;
  status: string;
  modelId: string | null;
  provider: string | null;
  llmRequest: string | null;
  llmResponse: string | null;
  /** JSON of the client's tool results. */
  clientResults: string | null;
  /** By position in the model's answer. */
  serverResults: Map<number, ToolResult>;
  errorCode: string | null;
  startedAt: Date;
  endedAt: Date | null;
}

/** Limits a page of steps to the size of one message. A page has at least one step. */
const PAGE_BYTES = 16 * 1024 * 1024;

/** Reads a page of a run's steps, by node in the order of the spec, then by step. */
export async function readSteps(
  db: Queryable,
  runId: string,
  page: { limit: number; offset: number },
): Promise<{ steps: StepRecord[]; hasMore: boolean }> {
  const found = await sql.listStepKeys(db, { runId, limit: page.limit + 1, offset: page.offset });
  const keys = limitBytes(found.slice(0, page.limit));
  const [steps, results] = [await readRecords(db, runId, keys), await readResults(db, runId, keys)];
  for (const step of steps) step.serverResults = results.get(`${step.nodeId}/${step.step}`) ?? new Map();
  return { steps, hasMore: found.length > keys.length };
}

function limitBytes(keys: readonly sql.ListStepKeysRow[]): sql.ListStepKeysRow[] {
  let total = 0;
  const end = keys.findIndex(({ bytes }, index) => {
    total += bytes;
    return index > 0 && total > PAGE_BYTES;
  });
  return end === -1 ? [...keys] : keys.slice(0, end);
}

async function readRecords(db: Queryable, runId: string, keys: readonly sql.ListStepKeysRow[]): Promise<StepRecord[]> {
  const rows = await sql.readStepRecords(db, {
    runId,
    ...toColumns(keys),
    attempts: keys.map(({ attempt }) => attempt),
  });
  return rows.map((row) => ({
    nodeId: row.node_id,
    step: row.step,
    attempt: row.attempt,
    holdId: row.request_id,
    status: row.status,
    modelId: row.model_id,
    provider: row.provider,
    llmRequest: row.llm_request,
    llmResponse: row.llm_response,
    clientResults: row.tool_results,
    serverResults: new Map(),
    errorCode: row.error_code,
    startedAt: row.created_at,
    endedAt: row.ended_at,
  }));
}

async function readResults(
  db: Queryable,
  runId: string,
  keys: readonly sql.ListStepKeysRow[],
): Promise<Map<string, Map<number, ToolResult>>> {
  const rows = await sql.readStepResults(db, { runId, ...toColumns(keys) });
  const steps = new Map<string, Map<number, ToolResult>>();
  for (const { node_id, step, position, ...toolResult } of rows) {
    const place = `${node_id}/${step}`;
    steps.set(place, (steps.get(place) ?? new Map<number, ToolResult>()).set(position, toolResult));
  }
  return steps;
}

function toColumns(keys: readonly sql.ListStepKeysRow[]): { nodeIds: string[]; steps: number[] } {
  return { nodeIds: keys.map((key) => key.node_id), steps: keys.map((key) => key.step) };
}
