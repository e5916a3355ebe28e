import type { Queryable } from '@tollgate/postgres';
import type { ToolResult } from '../domain/tools/tool-calls.js';

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

interface Key {
  node_id: string;
  step: number;
  attempt: number;
  bytes: number;
}

/** Reads a page of a run's steps, by node in the order of the spec, then by step. */
export async function readSteps(
  db: Queryable,
  runId: string,
  page: { limit: number; offset: number },
): Promise<{ steps: StepRecord[]; hasMore: boolean }> {
  const found = await db.query<Key>({
    name: 'run_steps.page',
    text: `
      SELECT s.node_id, s.step, s.attempt,
             coalesce(octet_length(s.llm_request), 0) + coalesce(octet_length(s.llm_response), 0)
             + coalesce(octet_length(s.tool_results), 0) AS bytes
      FROM (SELECT DISTINCT ON (node_id, step) * FROM run_steps WHERE run_id = $1
            ORDER BY node_id, step, attempt DESC) s
      JOIN run_nodes n ON n.run_id = $1 AND n.node_id = s.node_id
      ORDER BY n.position, n.item_index NULLS FIRST, s.step LIMIT $2 OFFSET $3`,
    values: [runId, page.limit + 1, page.offset],
  });
  const keys = limitBytes(found.rows.slice(0, page.limit));
  const [steps, results] = [await readRecords(db, runId, keys), await readResults(db, runId, keys)];
  for (const step of steps) step.serverResults = results.get(`${step.nodeId}/${step.step}`) ?? new Map();
  return { steps, hasMore: found.rows.length > keys.length };
}

function limitBytes(keys: readonly Key[]): Key[] {
  let total = 0;
  const end = keys.findIndex(({ bytes }, index) => {
    total += bytes;
    return index > 0 && total > PAGE_BYTES;
  });
  return end === -1 ? [...keys] : keys.slice(0, end);
}

interface RecordRow {
  node_id: string;
  step: number;
  attempt: number;
  request_id: string;
  status: string;
  model_id: string | null;
  provider: string | null;
  llm_request: string | null;
  llm_response: string | null;
  tool_results: string | null;
  error_code: string | null;
  created_at: Date;
  ended_at: Date | null;
}

async function readRecords(db: Queryable, runId: string, keys: readonly Key[]): Promise<StepRecord[]> {
  const result = await db.query<RecordRow>({
    name: 'run_steps.records',
    text: `
      SELECT s.node_id, s.step, s.attempt, s.request_id, s.status, s.model_id, s.provider, s.llm_request,
             s.llm_response, s.tool_results, s.error_code, s.created_at, s.ended_at
      FROM unnest($2::text[], $3::int[], $4::int[]) WITH ORDINALITY AS k(node_id, step, attempt, place)
      JOIN run_steps s ON s.run_id = $1 AND s.node_id = k.node_id AND s.step = k.step AND s.attempt = k.attempt
      ORDER BY k.place`,
    values: [runId, ...toColumns(keys), keys.map((key) => key.attempt)],
  });
  return result.rows.map((row) => ({
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
  keys: readonly Key[],
): Promise<Map<string, Map<number, ToolResult>>> {
  const result = await db.query<ToolResult & { node_id: string; step: number; position: number }>({
    name: 'run_tool_results.records',
    text: `
      SELECT r.node_id, r.step, r.position, r.tool_call_id, r.name, r.output
      FROM unnest($2::text[], $3::int[]) AS k(node_id, step)
      JOIN run_tool_results r ON r.run_id = $1 AND r.node_id = k.node_id AND r.step = k.step`,
    values: [runId, ...toColumns(keys)],
  });
  const steps = new Map<string, Map<number, ToolResult>>();
  for (const { node_id, step, position, ...toolResult } of result.rows) {
    const place = `${node_id}/${step}`;
    steps.set(place, (steps.get(place) ?? new Map<number, ToolResult>()).set(position, toolResult));
  }
  return steps;
}

function toColumns(keys: readonly Key[]): [string[], number[]] {
  return [keys.map((key) => key.node_id), keys.map((key) => key.step)];
}
