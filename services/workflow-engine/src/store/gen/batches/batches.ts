// Generated from batches/batches.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import type { BatchEndpoint, BatchOutcome, BatchStatus } from '../../../domain/batches/batch-json.js';

export interface InsertBatchInput {
  batchId: string;
  accountId: string;
  projectId: string;
  customerId: string | null;
  principal: Uint8Array;
  traceparent: string | null;
  endpoint: string;
  inputFileId: string;
  metadata: string | null;
  outputTtlSeconds: number;
  windowMs: number;
  projectMax: bigint | number;
  customerMax: bigint | number;
}

export interface InsertBatchRow {
  batch_id: string;
  account_id: string;
  project_id: string;
  customer_id: string | null;
  endpoint: BatchEndpoint;
  input_file_id: string;
  metadata: string | null;
  output_ttl_seconds: number;
  status: BatchStatus;
  ends_as: BatchOutcome;
  errors: string | null;
  validation: string | null;
  model: string | null;
  total: number;
  completed: number;
  failed: number;
  input_tokens: bigint;
  cached_tokens: bigint;
  output_tokens: bigint;
  reasoning_tokens: bigint;
  output_file_id: string | null;
  error_file_id: string | null;
  created_at: Date;
  expires_at: Date;
  in_progress_at: Date | null;
  finalizing_at: Date | null;
  completed_at: Date | null;
  failed_at: Date | null;
  expired_at: Date | null;
  canceling_at: Date | null;
  canceled_at: Date | null;
}

const INSERT_BATCH = `
  INSERT INTO batches (batch_id, account_id, project_id, customer_id, principal, traceparent, endpoint, input_file_id, metadata,
    output_ttl_seconds, expires_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9,
    $10, now() + $11 * interval '1 ms'
  WHERE (
    SELECT count(*) < $12
      AND ($4::uuid IS NULL OR count(*) FILTER (WHERE customer_id = $4) < $13)
    FROM batches
    WHERE project_id = $3 AND ended_at IS NULL)
  RETURNING batch_id, account_id, project_id, customer_id, endpoint, input_file_id, metadata, output_ttl_seconds, status, ends_as, errors,
    validation, model, total, completed, failed, input_tokens, cached_tokens, output_tokens, reasoning_tokens, output_file_id,
    error_file_id, created_at, expires_at, in_progress_at, finalizing_at, completed_at, failed_at, expired_at, canceling_at, canceled_at`;

/** Creates a batch. Returns undefined when the project or its customer has too many unfinished ones. The project must be locked. */
export async function insertBatch(db: Queryable, input: InsertBatchInput): Promise<InsertBatchRow | undefined> {
  const { rows } = await db.query<InsertBatchRow>({
    name: 'insert_batch',
    text: INSERT_BATCH,
    values: [
      input.batchId,
      input.accountId,
      input.projectId,
      input.customerId,
      input.principal,
      input.traceparent,
      input.endpoint,
      input.inputFileId,
      input.metadata,
      input.outputTtlSeconds,
      input.windowMs,
      input.projectMax,
      input.customerMax,
    ],
  });
  return rows[0];
}

export interface FindBatchInput {
  batchId: string;
  projectId: string;
  customerId: string | null;
}

export interface FindBatchRow {
  batch_id: string;
  account_id: string;
  project_id: string;
  customer_id: string | null;
  endpoint: BatchEndpoint;
  input_file_id: string;
  metadata: string | null;
  output_ttl_seconds: number;
  status: BatchStatus;
  ends_as: BatchOutcome;
  errors: string | null;
  validation: string | null;
  model: string | null;
  total: number;
  completed: number;
  failed: number;
  input_tokens: bigint;
  cached_tokens: bigint;
  output_tokens: bigint;
  reasoning_tokens: bigint;
  output_file_id: string | null;
  error_file_id: string | null;
  created_at: Date;
  expires_at: Date;
  in_progress_at: Date | null;
  finalizing_at: Date | null;
  completed_at: Date | null;
  failed_at: Date | null;
  expired_at: Date | null;
  canceling_at: Date | null;
  canceled_at: Date | null;
}

const FIND_BATCH = `
  SELECT batch_id, account_id, project_id, customer_id, endpoint, input_file_id, metadata, output_ttl_seconds, status, ends_as, errors,
    validation, model, total, completed, failed, input_tokens, cached_tokens, output_tokens, reasoning_tokens, output_file_id,
    error_file_id, created_at, expires_at, in_progress_at, finalizing_at, completed_at, failed_at, expired_at, canceling_at, canceled_at
  FROM batches
  WHERE batch_id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)`;

export async function findBatch(db: Queryable, input: FindBatchInput): Promise<FindBatchRow | undefined> {
  const { rows } = await db.query<FindBatchRow>({
    name: 'find_batch',
    text: FIND_BATCH,
    values: [
      input.batchId,
      input.projectId,
      input.customerId,
    ],
  });
  return rows[0];
}

export interface ListBatchesInput {
  projectId: string;
  customerId: string | null;
  after: string | null;
  limit: bigint | number;
}

export interface ListBatchesRow {
  batch_id: string;
  account_id: string;
  project_id: string;
  customer_id: string | null;
  endpoint: BatchEndpoint;
  input_file_id: string;
  metadata: string | null;
  output_ttl_seconds: number;
  status: BatchStatus;
  ends_as: BatchOutcome;
  errors: string | null;
  validation: string | null;
  model: string | null;
  total: number;
  completed: number;
  failed: number;
  input_tokens: bigint;
  cached_tokens: bigint;
  output_tokens: bigint;
  reasoning_tokens: bigint;
  output_file_id: string | null;
  error_file_id: string | null;
  created_at: Date;
  expires_at: Date;
  in_progress_at: Date | null;
  finalizing_at: Date | null;
  completed_at: Date | null;
  failed_at: Date | null;
  expired_at: Date | null;
  canceling_at: Date | null;
  canceled_at: Date | null;
}

const LIST_BATCHES = `
  SELECT batch_id, account_id, project_id, customer_id, endpoint, input_file_id, metadata, output_ttl_seconds, status, ends_as, errors,
    validation, model, total, completed, failed, input_tokens, cached_tokens, output_tokens, reasoning_tokens, output_file_id,
    error_file_id, created_at, expires_at, in_progress_at, finalizing_at, completed_at, failed_at, expired_at, canceling_at, canceled_at
  FROM batches
  WHERE project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)
    AND ($3::uuid IS NULL OR batch_id < $3)
  ORDER BY batch_id DESC
  LIMIT $4`;

/** Lists batches, newest first. */
export async function listBatches(db: Queryable, input: ListBatchesInput): Promise<ListBatchesRow[]> {
  const { rows } = await db.query<ListBatchesRow>({
    name: 'list_batches',
    text: LIST_BATCHES,
    values: [
      input.projectId,
      input.customerId,
      input.after,
      input.limit,
    ],
  });
  return rows;
}

export interface CancelBatchInput {
  batchId: string;
  projectId: string;
  customerId: string | null;
}

export interface CancelBatchRow {
  batch_id: string;
  account_id: string;
  project_id: string;
  customer_id: string | null;
  endpoint: BatchEndpoint;
  input_file_id: string;
  metadata: string | null;
  output_ttl_seconds: number;
  status: BatchStatus;
  ends_as: BatchOutcome;
  errors: string | null;
  validation: string | null;
  model: string | null;
  total: number;
  completed: number;
  failed: number;
  input_tokens: bigint;
  cached_tokens: bigint;
  output_tokens: bigint;
  reasoning_tokens: bigint;
  output_file_id: string | null;
  error_file_id: string | null;
  created_at: Date;
  expires_at: Date;
  in_progress_at: Date | null;
  finalizing_at: Date | null;
  completed_at: Date | null;
  failed_at: Date | null;
  expired_at: Date | null;
  canceling_at: Date | null;
  canceled_at: Date | null;
}

const CANCEL_BATCH = `
  UPDATE batches
  SET status = 'cancelling', ends_as = 'cancelled', canceling_at = now()
  WHERE batch_id = $1 AND project_id = $2 AND ($3::uuid IS NULL OR customer_id = $3)
    AND status IN ('validating', 'in_progress')
  RETURNING batch_id, account_id, project_id, customer_id, endpoint, input_file_id, metadata, output_ttl_seconds, status, ends_as, errors,
    validation, model, total, completed, failed, input_tokens, cached_tokens, output_tokens, reasoning_tokens, output_file_id,
    error_file_id, created_at, expires_at, in_progress_at, finalizing_at, completed_at, failed_at, expired_at, canceling_at, canceled_at`;

/** Starts no further lines of a batch. Returns undefined for a batch that is not in progress. */
export async function cancelBatch(db: Queryable, input: CancelBatchInput): Promise<CancelBatchRow | undefined> {
  const { rows } = await db.query<CancelBatchRow>({
    name: 'cancel_batch',
    text: CANCEL_BATCH,
    values: [
      input.batchId,
      input.projectId,
      input.customerId,
    ],
  });
  return rows[0];
}

export interface FinalizeBatchesInput {
  after: string;
}

export interface FinalizeBatchesRow {
  last: string | null;
  visited: number;
}

const FINALIZE_BATCHES = `
  WITH page AS (
    SELECT batch_id, status = 'in_progress' AND completed + failed = total AS is_done
    FROM batches
    WHERE ended_at IS NULL AND batch_id > $1
    ORDER BY batch_id
    LIMIT 100
  ),
  finalized AS (
    UPDATE batches SET status = 'finalizing', finalizing_at = now()
    FROM page
    WHERE page.is_done AND batches.batch_id = page.batch_id AND batches.status = 'in_progress'
  )
  SELECT (SELECT batch_id FROM page ORDER BY batch_id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM page) AS "visited"`;

/**
 * Moves batches on whose last line was ended by the previous version, which leaves that to a later statement: see `end_line`.
 * Visits a page of unfinished batches.
 */
export async function finalizeBatches(db: Queryable, input: FinalizeBatchesInput): Promise<FinalizeBatchesRow | undefined> {
  const { rows } = await db.query<FinalizeBatchesRow>({
    name: 'finalize_batches',
    text: FINALIZE_BATCHES,
    values: [
      input.after,
    ],
  });
  return rows[0];
}

export interface StartBatchInput {
  total: number;
  model: string | null;
  batchId: string;
}

const START_BATCH = `
  UPDATE batches
  SET status = 'in_progress', in_progress_at = now(), total = $1, model = $2, validation = NULL, step_due_at = NULL
  WHERE batch_id = $3`;

/** Starts the lines of a validated batch. */
export async function startBatch(db: Queryable, input: StartBatchInput): Promise<void> {
  await db.query({
    name: 'start_batch',
    text: START_BATCH,
    values: [
      input.total,
      input.model,
      input.batchId,
    ],
  });
}

export interface FailBatchInput {
  errors: string;
  batchId: string;
}

const FAIL_BATCH = `
  UPDATE batches
  SET status = 'failed', failed_at = now(), ended_at = now(), errors = $1, validation = NULL
  WHERE batch_id = $2 AND status = 'validating'`;

/** Ends a batch whose input is not valid. Changes nothing when it is no longer validated. */
export async function failBatch(db: Queryable, input: FailBatchInput): Promise<number> {
  const { rowCount } = await db.query({
    name: 'fail_batch',
    text: FAIL_BATCH,
    values: [
      input.errors,
      input.batchId,
    ],
  });
  return rowCount ?? 0;
}

export interface EndBatchInput {
  outcome: string;
  outputFileId: string | null;
  errorFileId: string | null;
  batchId: string;
}

const END_BATCH = `
  UPDATE batches
  SET status = $1, ended_at = now(), finalizing_at = coalesce(finalizing_at, now()),
    completed_at = CASE WHEN $1 = 'completed' THEN now() END,
    expired_at = CASE WHEN $1 = 'expired' THEN now() END,
    canceled_at = CASE WHEN $1 = 'cancelled' THEN now() END,
    failed = CASE WHEN $1 = 'expired' THEN total - completed ELSE failed END,
    output_file_id = $2, error_file_id = $3
  WHERE batch_id = $4`;

/** Ends a batch whose files are written. Lines that were not run count as failed, unless they were canceled. */
export async function endBatch(db: Queryable, input: EndBatchInput): Promise<void> {
  await db.query({
    name: 'end_batch',
    text: END_BATCH,
    values: [
      input.outcome,
      input.outputFileId,
      input.errorFileId,
      input.batchId,
    ],
  });
}
