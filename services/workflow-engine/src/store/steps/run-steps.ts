import type { ResponseResource } from '@tollgate/api/model-requests';
import type { Queryable, Tx } from '@tollgate/postgres';
import type { Prices } from '../../domain/step/cost.js';
import type { StepRef } from '../../domain/step/model-step.js';
import type { JournalEntry, StepStatus } from '../../domain/step/next-attempt.js';
import type { ToolSettings } from '../../domain/tools/tool-settings.js';
import { parseJson } from '../../domain/values/json.js';
import * as sql from '../gen/steps/run-steps.js';

export { insertIntent } from '../gen/steps/run-steps.js';

/** A journal entry with the data that the next step of the conversation needs. */
export interface JournalRow extends JournalEntry {
  llmResponse: string | null;
  /** JSON of the client's tool results. */
  clientResults: string | null;
}

/** The steps of a node's current attempt. */
export interface Journal {
  /** The first step of the attempt. */
  firstStep: number;
  rows: JournalRow[];
}

interface StepRow {
  first_step: number;
  step: number | null;
  attempt: number;
  request_id: string;
  status: StepStatus;
  llm_response: string | null;
  tool_results: string | null;
}

/** Loads the journal of a node's current attempt, in order. */
export async function loadJournal(tx: Tx, runId: string, nodeId: string): Promise<Journal> {
  const result = await tx.query<StepRow>({
    name: 'run_steps.load',
    text: `SELECT n.first_step, s.step, s.attempt, s.request_id, s.status, s.llm_response, s.tool_results
           FROM run_nodes n
           LEFT JOIN run_steps s ON s.run_id = $1 AND s.node_id = $2 AND s.step >= n.first_step
           WHERE n.run_id = $1 AND n.node_id = $2 ORDER BY s.step, s.attempt`,
    values: [runId, nodeId],
  });
  const rows = result.rows.flatMap((row): JournalRow[] =>
    row.step === null
      ? []
      : [
          {
            step: row.step,
            attempt: row.attempt,
            holdId: row.request_id,
            status: row.status,
            llmResponse: row.llm_response,
            clientResults: row.tool_results,
          },
        ],
  );
  return { firstStep: result.rows[0]?.first_step ?? 0, rows };
}

export interface Dispatch {
  modelId: string;
  prices: Prices;
  heldMicrocents: bigint;
  /** The request body, as it will be sent. */
  llmRequest: string;
}

/**
 * Marks a step as dispatched, before its first byte is sent. Returns false when the lease is lost; then nothing may be
 * sent. The share lock on the work row keeps a successor from taking over between the check and the commit.
 */
export async function markDispatched(
  db: Queryable,
  step: StepRef,
  fence: { workId: bigint; epoch: number },
  dispatch: Dispatch,
): Promise<boolean> {
  const { prices, ...call } = dispatch;
  const marked = await sql.markDispatched(db, {
    ...step,
    ...fence,
    ...call,
    inputPrice: prices.inputPerMillionCents,
    outputPrice: prices.outputPerMillionCents,
    imagePrice: prices.perImageCents,
  });
  return marked === 1;
}

/**
 * Undoes `markDispatched` for a call that was provably not sent, with the same share lock. Does nothing when another
 * process holds the work: its new holder treats the attempt as lost.
 */
export async function markUndelivered(
  db: Queryable,
  step: StepRef,
  fence: { workId: bigint; epoch: number },
): Promise<void> {
  await sql.markUndelivered(db, { ...step, ...fence });
}

/** Counts the model steps that the sub-nodes of a node have started. */
export async function countSteps(tx: Tx, runId: string, nodeId: string): Promise<number> {
  const result = await tx.query<{ steps: bigint }>({
    name: 'run_steps.count_below',
    text: `SELECT count(DISTINCT (node_id, step)) AS steps FROM run_steps
           WHERE run_id = $1 AND starts_with(node_id, $2 || '.')`,
    values: [runId, nodeId],
  });
  return Number(result.rows[0]?.steps ?? 0);
}

/**
 * Reads the tool settings of the request that a dispatched step has sent. The request is parsed here, because PostgreSQL
 * rejects the escapes of NUL and of half a surrogate pair, which a conversation may hold.
 */
export async function loadToolSettings(db: Queryable, step: StepRef): Promise<ToolSettings> {
  const result = await db.query<{ llm_request: string }>({
    name: 'run_steps.tool_settings',
    text: `SELECT llm_request FROM run_steps
           WHERE run_id = $1 AND node_id = $2 AND step = $3 AND attempt = $4 AND llm_request IS NOT NULL`,
    values: [step.runId, step.nodeId, step.step, step.attempt],
  });
  const [row] = result.rows;
  if (!row) throw new Error(`step ${step.step} of node ${step.nodeId} was never sent`);
  return parseJson(row.llm_request) as unknown as ToolSettings;
}

/** Loads the last answer of any model of the run. */
export async function loadLastAnswer(tx: Tx, runId: string): Promise<ResponseResource | undefined> {
  const result = await tx.query<{ llm_response: string }>({
    name: 'run_steps.last_answer',
    text: `SELECT llm_response FROM run_steps
           WHERE run_id = $1 AND status = 'settled' AND llm_response IS NOT NULL
           ORDER BY ended_at DESC, step DESC LIMIT 1`,
    values: [runId],
  });
  const row = result.rows[0];
  return row && (JSON.parse(row.llm_response) as ResponseResource);
}

/** Returns whether a step's node or run has ended or was deleted, and whether the journal has the step. */
export async function readStepFate(db: Queryable, step: StepRef): Promise<{ isOver: boolean; isJournaled: boolean }> {
  const result = await db.query<{ isOver: boolean; isJournaled: boolean }>({
    name: 'run_steps.fate',
    text: `SELECT runs.ended_at IS NOT NULL OR n.ended_at IS NOT NULL AS "isOver",
                  EXISTS (SELECT FROM run_steps s WHERE s.run_id = $1 AND s.node_id = $2 AND s.step = $3
                          AND s.attempt = $4) AS "isJournaled"
           FROM runs JOIN run_nodes n ON n.run_id = $1 AND n.node_id = $2 WHERE runs.run_id = $1`,
    values: [step.runId, step.nodeId, step.step, step.attempt],
  });
  return result.rows[0] ?? { isOver: true, isJournaled: false };
}

/** A new step whose call is made after the commit. */
export interface DispatchedStep {
  ref: StepRef;
  holdId: string;
  dispatch: Dispatch;
}

export interface EndedStep {
  ref: StepRef;
  end: Omit<StepEnd, 'at'>;
}

export interface StepEnd extends StepOutcome {
  status: Exclude<StepStatus, 'intent' | 'dispatched'>;
  at: Date;
}

export interface StepOutcome {
  provider?: string | undefined;
  costMicrocents?: bigint | undefined;
  inputTokens?: bigint | undefined;
  outputTokens?: bigint | undefined;
  llmResponse?: string | undefined;
  errorCode?: string | undefined;
}

export async function endStep(tx: Tx, step: StepRef, end: StepEnd): Promise<void> {
  const { status, at } = end;
  await sql.endStep(tx, { ...step, ...toEndInput(end), status, at });
}

/** Returns the columns of an end, without its time. */
export function toEndInput<Status>(end: { status: Status } & StepOutcome) {
  const { status, provider = null, costMicrocents = null, inputTokens = null, outputTokens = null } = end;
  const { llmResponse = null, errorCode = null } = end;
  return { status, provider, costMicrocents, inputTokens, outputTokens, llmResponse, errorCode };
}

/** Loads the client's results for one step of any attempt of the node; null when there are none. */
export async function loadClientResults(
  tx: Tx,
  step: { runId: string; nodeId: string; step: number; holdId: string },
): Promise<string | null> {
  const result = await tx.query<{ tool_results: string | null }>({
    name: 'run_steps.load_client_results',
    text: `SELECT tool_results FROM run_steps
           WHERE run_id = $1 AND node_id = $2 AND step = $3 AND request_id::text = $4`,
    values: [step.runId, step.nodeId, step.step, step.holdId],
  });
  return result.rows[0]?.tool_results ?? null;
}

export async function storeClientResults(tx: Tx, step: StepRef, results: string): Promise<void> {
  await sql.storeClientResults(tx, { ...step, results });
}

/**
 * Records the usage of a call that finished after its run had ended. Only the cost summary changes. Does nothing while
 * the run is active: then the attempt has a successor.
 */
export async function recordLateUsage(db: Queryable, step: StepRef, end: StepOutcome): Promise<void> {
  await sql.recordLateUsage(db, { ...step, ...toEndInput({ ...end, status: 'settled' }) });
}
