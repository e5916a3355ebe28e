import { type Queryable, withTransaction } from '@tollgate/postgres';
import { NODE_OUTPUT_KEY } from '../../domain/run/run-event.js';
import type { RunScope } from '../../domain/run/run-scope.js';
import type { NodeStatus, RunStatus } from '../../domain/run/status.js';
import type { CallRecord, ToolCost } from '../../domain/step/cost.js';
import { type JsonObject, parseJson } from '../../domain/values/json.js';
import type { Pool } from '../database.js';

/** The queries behind the read endpoints. */

export interface RunRecord {
  runId: string;
  projectId: string;
  customerId: string | null;
  planHash: string;
  name: string | null;
  status: RunStatus;
  sessionId: string | null;
  lastSeq: number;
  errorCode: string | null;
  errorMessage: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

const RUN_COLUMNS = `
  run_id AS "runId", project_id AS "projectId", customer_id AS "customerId", plan_hash AS "planHash", name, status,
  session_id AS "sessionId", last_seq AS "lastSeq", error_code AS "errorCode", error_message AS "errorMessage",
  created_at AS "createdAt", ended_at AS "endedAt"`;

export async function findRun(db: Queryable, runId: string): Promise<RunRecord | undefined> {
  const result = await db.query<RunRecord>({
    name: 'runs.find',
    text: `SELECT ${RUN_COLUMNS} FROM runs WHERE run_id = $1`,
    values: [runId],
  });
  return result.rows[0];
}

/** Returns the values of a run's declared inputs. */
export async function readRunInput(db: Queryable, runId: string): Promise<JsonObject | undefined> {
  const result = await db.query<{ input: string | null }>({
    name: 'runs.input',
    text: 'SELECT input FROM runs WHERE run_id = $1',
    values: [runId],
  });
  const input = result.rows[0]?.input ?? null;
  return input === null ? undefined : (parseJson(input) as JsonObject);
}

/** A part of the list of runs. */
export interface RunPage {
  status: RunStatus | undefined;
  customerId: string | undefined;
  /** Slug of an agent that a node of the run names. */
  agent: string | undefined;
  startedFrom: Date | undefined;
  startedBefore: Date | undefined;
  limit: number;
  offset: number;
}

/** Returns runs, newest first. Reads one more than `limit`, so that the caller knows whether another page follows. */
export async function listRuns(db: Queryable, scope: RunScope, page: RunPage): Promise<RunRecord[]> {
  const values: unknown[] = [scope.projectId, page.limit + 1, page.offset];
  const conditions = ['project_id = $1'];
  if (scope.customerId !== undefined) conditions.push(`customer_id = $${values.push(scope.customerId)}`);
  if (page.customerId !== undefined) conditions.push(`customer_id = $${values.push(page.customerId)}`);
  if (page.status !== undefined) conditions.push(`status = $${values.push(page.status)}`);
  // The statement needs the partial index's predicate itself: the operator does not imply it for the planner.
  if (page.agent !== undefined) {
    conditions.push('agents IS NOT NULL', `agents @> ARRAY[$${values.push(page.agent)}]::text[]`);
  }
  if (page.startedFrom) conditions.push(`created_at >= $${values.push(page.startedFrom)}`);
  if (page.startedBefore) conditions.push(`created_at < $${values.push(page.startedBefore)}`);
  const result = await db.query<RunRecord>(
    `SELECT ${RUN_COLUMNS} FROM runs WHERE ${conditions.join(' AND ')}
     ORDER BY created_at DESC, run_id DESC LIMIT $2 OFFSET $3`,
    values,
  );
  return result.rows;
}

export interface NodeRecord {
  nodeId: string;
  type: string;
  status: NodeStatus;
  startedAt: Date | null;
  endedAt: Date | null;
  errorCode: string | null;
  errorMessage: string | null;
}

/** A run as of one moment. Nodes, calls and costs are in the order of the spec, sub-nodes after their parent. */
export interface Snapshot {
  run: RunRecord & { input: string | null; outputs: string | null };
  nodes: NodeRecord[];
  calls: CallRecord[];
  toolCosts: ToolCost[];
  /** JSON of each succeeded node's output, by node id. */
  outputs: Map<string, string>;
}

const IN_PLACE = 'n.position, n.item_index NULLS FIRST';

/** Reads all parts in one transaction, so that they show the same moment. */
export function readSnapshot(pool: Pool, runId: string): Promise<Snapshot> {
  return withTransaction(
    pool,
    async (tx) => {
      const run = await readRunWithOutputs(tx, runId);
      const nodes = await readNodes(tx, runId);
      const calls = await readCalls(tx, runId);
      const toolCosts = await readToolCosts(tx, runId);
      return { run, nodes, calls, toolCosts, outputs: await readOutputs(tx, runId) };
    },
    { isolation: 'repeatable read' },
  );
}

async function readRunWithOutputs(db: Queryable, runId: string): Promise<Snapshot['run']> {
  const result = await db.query<Snapshot['run']>({
    name: 'runs.snapshot',
    text: `SELECT ${RUN_COLUMNS}, input, outputs FROM runs WHERE run_id = $1`,
    values: [runId],
  });
  const [run] = result.rows;
  if (!run) throw new Error(`run ${runId} does not exist`);
  return run;
}

async function readNodes(db: Queryable, runId: string): Promise<NodeRecord[]> {
  const result = await db.query<NodeRecord>({
    name: 'run_nodes.snapshot',
    text: `SELECT n.node_id AS "nodeId", n.type, n.status, n.started_at AS "startedAt", n.ended_at AS "endedAt",
                  n.error_code AS "errorCode", n.error_message AS "errorMessage"
           FROM run_nodes n WHERE n.run_id = $1 ORDER BY ${IN_PLACE}`,
    values: [runId],
  });
  return result.rows;
}

async function readCalls(db: Queryable, runId: string): Promise<CallRecord[]> {
  const result = await db.query<CallRecord>({
    name: 'run_steps.snapshot',
    text: `SELECT s.node_id AS "nodeId", s.request_id AS "holdId", s.status, s.model_id AS "modelId", s.provider,
                  s.cost_microcents AS "costMicrocents", s.held_microcents AS "heldMicrocents",
                  s.input_tokens AS "inputTokens", s.output_tokens AS "outputTokens"
           FROM run_steps s JOIN run_nodes n USING (run_id, node_id)
           WHERE s.run_id = $1 ORDER BY ${IN_PLACE}, s.step, s.attempt`,
    values: [runId],
  });
  return result.rows;
}

async function readToolCosts(db: Queryable, runId: string): Promise<ToolCost[]> {
  const result = await db.query<ToolCost>({
    name: 'run_tool_results.snapshot',
    text: `SELECT r.node_id AS "nodeId", r.model_id AS "modelId", r.cost_microcents AS "costMicrocents"
           FROM run_tool_results r JOIN run_nodes n USING (run_id, node_id)
           WHERE r.run_id = $1 AND r.cost_microcents > 0 ORDER BY ${IN_PLACE}, r.step, r.position`,
    values: [runId],
  });
  return result.rows;
}

async function readOutputs(db: Queryable, runId: string): Promise<Map<string, string>> {
  const result = await db.query<{ node_id: string; body: string }>({
    name: 'run_artifacts.snapshot',
    text: 'SELECT node_id, body FROM run_artifacts WHERE run_id = $1 AND key = $2',
    values: [runId, NODE_OUTPUT_KEY],
  });
  return new Map(result.rows.map((row) => [row.node_id, row.body]));
}

export interface WaitingStep {
  nodeId: string;
  step: number;
  holdId: string;
  llmResponse: string | null;
}

/**
 * Returns the step of each waiting node whose tool calls wait for the client, in the order of the spec. Calls of an
 * earlier attempt of the node may have been left open, so only the latest step counts.
 */
export async function readWaitingSteps(db: Queryable, runId: string): Promise<WaitingStep[]> {
  const result = await db.query<WaitingStep>({
    name: 'run_steps.waiting',
    text: `SELECT n.node_id AS "nodeId", s.step, s.request_id AS "holdId", s.llm_response AS "llmResponse"
           FROM run_nodes n CROSS JOIN LATERAL (
             SELECT step, request_id, llm_response FROM run_steps
             WHERE run_id = $1 AND node_id = n.node_id AND status = 'settled' AND tool_results IS NULL
             ORDER BY step DESC LIMIT 1) AS s
           WHERE n.run_id = $1 AND n.status = 'waiting' ORDER BY ${IN_PLACE}`,
    values: [runId],
  });
  return result.rows;
}
