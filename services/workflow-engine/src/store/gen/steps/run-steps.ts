// Generated from steps/run-steps.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface InsertIntentInput {
  runId: string;
  nodeId: string;
  step: number;
  attempt: number;
  holdId: string;
  at: Date;
}

const INSERT_INTENT = `
  INSERT INTO run_steps (run_id, node_id, step, attempt, request_id, status, created_at)
  VALUES ($1, $2, $3, $4, $5, 'intent', $6)`;

/** Inserts the intent of a step, before anything is held or sent. */
export async function insertIntent(db: Queryable, input: InsertIntentInput): Promise<void> {
  await db.query({
    name: 'insert_intent',
    text: INSERT_INTENT,
    values: [
      input.runId,
      input.nodeId,
      input.step,
      input.attempt,
      input.holdId,
      input.at,
    ],
  });
}

export interface MarkDispatchedInput {
  workId: bigint | number;
  epoch: number;
  runId: string;
  modelId: string;
  inputPrice: bigint | number;
  outputPrice: bigint | number;
  imagePrice: bigint | number;
  heldMicrocents: bigint | number;
  llmRequest: string;
  nodeId: string;
  step: number;
  attempt: number;
}

const MARK_DISPATCHED = `
  WITH held AS (
    SELECT FROM run_work WHERE work_id = $1 AND lease_epoch = $2 AND run_id = $3 FOR SHARE
  )
  UPDATE run_steps
  SET status = 'dispatched', dispatched_at = clock_timestamp(), model_id = $4, input_price_per_million_cents = $5,
    output_price_per_million_cents = $6, price_per_image_cents = $7, held_microcents = $8,
    llm_request = $9
  WHERE run_id = $3 AND node_id = $10 AND step = $11 AND attempt = $12 AND status = 'intent'
    AND EXISTS (SELECT FROM held)`;

/** Marks a step as dispatched, before its first byte is sent. Changes nothing when the lease is lost. */
export async function markDispatched(db: Queryable, input: MarkDispatchedInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'mark_dispatched',
    text: MARK_DISPATCHED,
    values: [
      input.workId,
      input.epoch,
      input.runId,
      input.modelId,
      input.inputPrice,
      input.outputPrice,
      input.imagePrice,
      input.heldMicrocents,
      input.llmRequest,
      input.nodeId,
      input.step,
      input.attempt,
    ],
  });
  return rowCount ?? 0;
}

export interface MarkUndeliveredInput {
  workId: bigint | number;
  epoch: number;
  runId: string;
  nodeId: string;
  step: number;
  attempt: number;
}

const MARK_UNDELIVERED = `
  WITH held AS (
    SELECT FROM run_work WHERE work_id = $1 AND lease_epoch = $2 AND run_id = $3 FOR SHARE
  )
  UPDATE run_steps
  SET status = 'intent', dispatched_at = NULL
  WHERE run_id = $3 AND node_id = $4 AND step = $5 AND attempt = $6 AND status = 'dispatched'
    AND EXISTS (SELECT FROM held)`;

/** Undoes `mark_dispatched` for a call that was provably not sent. Does nothing when another process holds the work. */
export async function markUndelivered(db: Queryable, input: MarkUndeliveredInput): Promise<void> {
  await db.query({
    name: 'mark_undelivered',
    text: MARK_UNDELIVERED,
    values: [
      input.workId,
      input.epoch,
      input.runId,
      input.nodeId,
      input.step,
      input.attempt,
    ],
  });
}

export interface EndStepInput {
  status: string;
  at: Date;
  provider: string | null;
  costMicrocents: bigint | number | null;
  inputTokens: bigint | number | null;
  outputTokens: bigint | number | null;
  llmResponse: string | null;
  errorCode: string | null;
  runId: string;
  nodeId: string;
  step: number;
  attempt: number;
}

const END_STEP = `
  UPDATE run_steps
  SET status = $1, ended_at = $2, provider = $3, cost_microcents = $4, input_tokens = $5,
    output_tokens = $6, llm_response = $7, error_code = $8
  WHERE run_id = $9 AND node_id = $10 AND step = $11 AND attempt = $12`;

export async function endStep(db: Queryable, input: EndStepInput): Promise<void> {
  await db.query({
    name: 'end_step',
    text: END_STEP,
    values: [
      input.status,
      input.at,
      input.provider,
      input.costMicrocents,
      input.inputTokens,
      input.outputTokens,
      input.llmResponse,
      input.errorCode,
      input.runId,
      input.nodeId,
      input.step,
      input.attempt,
    ],
  });
}

export interface StoreClientResultsInput {
  results: string;
  runId: string;
  nodeId: string;
  step: number;
  attempt: number;
}

const STORE_CLIENT_RESULTS = `
  UPDATE run_steps SET tool_results = $1 WHERE run_id = $2 AND node_id = $3 AND step = $4 AND attempt = $5`;

export async function storeClientResults(db: Queryable, input: StoreClientResultsInput): Promise<void> {
  await db.query({
    name: 'store_client_results',
    text: STORE_CLIENT_RESULTS,
    values: [
      input.results,
      input.runId,
      input.nodeId,
      input.step,
      input.attempt,
    ],
  });
}

export interface RecordLateUsageInput {
  provider: string | null;
  costMicrocents: bigint | number | null;
  inputTokens: bigint | number | null;
  outputTokens: bigint | number | null;
  llmResponse: string | null;
  errorCode: string | null;
  runId: string;
  nodeId: string;
  step: number;
  attempt: number;
}

const RECORD_LATE_USAGE = `
  UPDATE run_steps
  SET status = 'settled', ended_at = clock_timestamp(), provider = $1, cost_microcents = $2,
    input_tokens = $3, output_tokens = $4, llm_response = $5, error_code = $6
  WHERE run_id = $7 AND node_id = $8 AND step = $9 AND attempt = $10 AND status = 'dispatched'
    AND EXISTS (SELECT FROM runs WHERE run_id = $7 AND ended_at IS NOT NULL)`;

/**
 * Records the usage of a call that finished after its run had ended. Does nothing while the run is active: then the attempt has a
 * successor.
 */
export async function recordLateUsage(db: Queryable, input: RecordLateUsageInput): Promise<void> {
  await db.query({
    name: 'record_late_usage',
    text: RECORD_LATE_USAGE,
    values: [
      input.provider,
      input.costMicrocents,
      input.inputTokens,
      input.outputTokens,
      input.llmResponse,
      input.errorCode,
      input.runId,
      input.nodeId,
      input.step,
      input.attempt,
    ],
  });
}

export interface MarkRecordedInput {
  modelId: string | null;
  llmRequest: string | null;
  runId: string;
  nodeId: string;
  step: number;
  attempt: number;
}

const MARK_RECORDED = `
  UPDATE run_steps
  SET dispatched_at = clock_timestamp(), model_id = $1, llm_request = $2, input_price_per_million_cents = 0,
    output_price_per_million_cents = 0, price_per_image_cents = 0, held_microcents = 0
  WHERE run_id = $3 AND node_id = $4 AND step = $5 AND attempt = $6`;

/** Stores a recorded request with the step. Nothing was held and nothing was sent. */
export async function markRecorded(db: Queryable, input: MarkRecordedInput): Promise<void> {
  await db.query({
    name: 'mark_recorded',
    text: MARK_RECORDED,
    values: [
      input.modelId,
      input.llmRequest,
      input.runId,
      input.nodeId,
      input.step,
      input.attempt,
    ],
  });
}
