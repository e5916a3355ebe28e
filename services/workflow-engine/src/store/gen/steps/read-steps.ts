// Generated from steps/read-steps.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { arrayLiteral } from '@tollgate/postgres/columns';

export interface ListStepKeysInput {
  runId: string;
  limit: bigint | number;
  offset: bigint | number;
}

export interface ListStepKeysRow {
  node_id: string;
  step: number;
  attempt: number;
  bytes: number;
}

const LIST_STEP_KEYS = `
  SELECT s.node_id, s.step, s.attempt,
    coalesce(octet_length(s.llm_request), 0) + coalesce(octet_length(s.llm_response), 0) + coalesce(octet_length(s.tool_results), 0)
      AS "bytes"
  FROM (SELECT DISTINCT ON (node_id, step) * FROM run_steps WHERE run_id = $1 ORDER BY node_id, step, attempt DESC) s
  JOIN run_nodes n ON n.run_id = $1 AND n.node_id = s.node_id
  ORDER BY n.position, n.item_index NULLS FIRST, s.step
  LIMIT $2 OFFSET $3`;

/** Lists the latest attempts of a run's steps with their sizes, by node in the order of the spec, then by step. */
export async function listStepKeys(db: Queryable, input: ListStepKeysInput): Promise<ListStepKeysRow[]> {
  const { rows } = await db.query<ListStepKeysRow>({
    name: 'list_step_keys',
    text: LIST_STEP_KEYS,
    values: [
      input.runId,
      input.limit,
      input.offset,
    ],
  });
  return rows;
}

export interface ReadStepRecordsInput {
  nodeIds: readonly (string | null)[];
  steps: readonly number[];
  attempts: readonly number[];
  runId: string;
}

export interface ReadStepRecordsRow {
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

const READ_STEP_RECORDS = `
  SELECT s.node_id, s.step, s.attempt, s.request_id, s.status, s.model_id, s.provider, s.llm_request, s.llm_response, s.tool_results,
    s.error_code, s.created_at, s.ended_at
  FROM unnest($1::text[], $2::int[], $3::int[]) WITH ORDINALITY AS k (node_id, step, attempt, place)
  JOIN run_steps s ON s.run_id = $4 AND s.node_id = k.node_id AND s.step = k.step AND s.attempt = k.attempt
  ORDER BY k.place`;

/** Reads attempts of a run's steps, in the order of the keys. */
export async function readStepRecords(db: Queryable, input: ReadStepRecordsInput): Promise<ReadStepRecordsRow[]> {
  const { rows } = await db.query<ReadStepRecordsRow>({
    name: 'read_step_records',
    text: READ_STEP_RECORDS,
    values: [
      input.nodeIds,
      arrayLiteral(input.steps),
      arrayLiteral(input.attempts),
      input.runId,
    ],
  });
  return rows;
}

export interface ReadStepResultsInput {
  nodeIds: readonly (string | null)[];
  steps: readonly number[];
  runId: string;
}

export interface ReadStepResultsRow {
  node_id: string;
  step: number;
  position: number;
  tool_call_id: string;
  name: string;
  output: string;
}

const READ_STEP_RESULTS = `
  SELECT r.node_id, r.step, r.position, r.tool_call_id, r.name, r.output
  FROM unnest($1::text[], $2::int[]) AS k (node_id, step)
  JOIN run_tool_results r ON r.run_id = $3 AND r.node_id = k.node_id AND r.step = k.step`;

/** Reads the results of tool calls of a run's steps. */
export async function readStepResults(db: Queryable, input: ReadStepResultsInput): Promise<ReadStepResultsRow[]> {
  const { rows } = await db.query<ReadStepResultsRow>({
    name: 'read_step_results',
    text: READ_STEP_RESULTS,
    values: [
      input.nodeIds,
      arrayLiteral(input.steps),
      input.runId,
    ],
  });
  return rows;
}
