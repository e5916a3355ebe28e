import type { BatchEndpoint } from '@tollgate/api/compatible';
import type { Queryable, Tx } from '@tollgate/postgres';
import type { BatchRecord } from '../../domain/batches/batch-json.js';
import type { Owner } from './files.js';

/** The last status of a batch that was validated. */
export type BatchOutcome = 'completed' | 'expired' | 'cancelled';

export interface NewBatch {
  batchId: string;
  accountId: string;
  projectId: string;
  customerId: string | null;
  principal: Uint8Array;
  traceparent: string | undefined;
  endpoint: BatchEndpoint;
  inputFileId: string;
  /** JSON. */
  metadata: string | null;
  outputTtlSeconds: number;
  windowMs: number;
}

/** A row of `batches`: what a client sees of it, and whose it is. */
export interface BatchRow extends BatchRecord {
  account_id: string;
  project_id: string;
  customer_id: string | null;
  output_ttl_seconds: number;
  ends_as: BatchOutcome;
  /** JSON: how far the input is validated. */
  validation: string | null;
}

const COLUMNS = `batch_id, account_id, project_id, customer_id, endpoint, input_file_id, metadata, output_ttl_seconds, status,
  ends_as, errors, validation, model, total, completed, failed, input_tokens::text, cached_tokens::text, output_tokens::text,
  reasoning_tokens::text, output_file_id, error_file_id, created_at, expires_at, in_progress_at, finalizing_at, completed_at,
  failed_at, expired_at, canceling_at, canceled_at`;
/** `$1` and `$2`: project, and the customer whose batches alone are visible. */
const VISIBLE = 'project_id = $1 AND ($2::uuid IS NULL OR customer_id = $2)';

/**
 * Creates a batch, which a worker validates. Returns undefined when the project or its customer has too many unfinished ones. The project
 * must be locked.
 */
export async function insertBatch(
  tx: Tx,
  batch: NewBatch,
  unfinishedMax: { project: number; customer: number },
): Promise<BatchRow | undefined> {
  const result = await tx.query<BatchRow>({
    name: 'batches.insert',
    text: `
      INSERT INTO batches (batch_id, account_id, project_id, customer_id, principal, traceparent, endpoint, input_file_id,
                           metadata, output_ttl_seconds, expires_at)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + $11 * interval '1 ms'
      WHERE (SELECT count(*) < $12 AND ($4::uuid IS NULL OR count(*) FILTER (WHERE customer_id = $4) < $13)
             FROM batches WHERE project_id = $3 AND ended_at IS NULL)
      RETURNING ${COLUMNS}`,
    values: [
      batch.batchId,
      batch.accountId,
      batch.projectId,
      batch.customerId,
      batch.principal,
      batch.traceparent ?? null,
      batch.endpoint,
      batch.inputFileId,
      batch.metadata,
      batch.outputTtlSeconds,
      batch.windowMs,
      unfinishedMax.project,
      unfinishedMax.customer,
    ],
  });
  return result.rows[0];
}

export async function findBatch(db: Queryable, owner: Owner, batchId: string): Promise<BatchRow | undefined> {
  const result = await db.query<BatchRow>({
    name: 'batches.find',
    text: `SELECT ${COLUMNS} FROM batches WHERE batch_id = $3 AND ${VISIBLE}`,
    values: [owner.projectId, owner.customerId ?? null, batchId],
  });
  return result.rows[0];
}

/** Lists batches, newest first. */
export async function listBatches(
  db: Queryable,
  owner: Owner,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<BatchRow[]> {
  const result = await db.query<BatchRow>({
    name: 'batches.list',
    text: `SELECT ${COLUMNS} FROM batches WHERE ${VISIBLE} AND ($3::uuid IS NULL OR batch_id < $3)
           ORDER BY batch_id DESC LIMIT $4`,
    values: [owner.projectId, owner.customerId ?? null, after ?? null, limit],
  });
  return result.rows;
}

/** Starts no further lines of a batch. Returns undefined for a batch that is not in progress. */
export async function cancelBatch(db: Queryable, owner: Owner, batchId: string): Promise<BatchRow | undefined> {
  const result = await db.query<BatchRow>({
    name: 'batches.cancel',
    text: `
      UPDATE batches SET status = 'cancelling', ends_as = 'cancelled', canceling_at = now()
      WHERE batch_id = $3 AND ${VISIBLE} AND status IN ('validating', 'in_progress') RETURNING ${COLUMNS}`,
    values: [owner.projectId, owner.customerId ?? null, batchId],
  });
  return result.rows[0];
}

/** Ends the window of batches that were not finished in time. */
export async function expireBatches(db: Queryable): Promise<void> {
  await db.query({
    name: 'batches.expire',
    text: `UPDATE batches SET status = 'finalizing', ends_as = 'expired', finalizing_at = now()
           WHERE ended_at IS NULL AND expires_at < now() AND status IN ('validating', 'in_progress')`,
  });
}

/** Moves batches whose lines have all ended on to the writing of their files. */
export async function finalizeBatches(db: Queryable): Promise<void> {
  await db.query({
    name: 'batches.finalize',
    text: `UPDATE batches SET status = 'finalizing', finalizing_at = now()
           WHERE ended_at IS NULL AND status = 'in_progress' AND completed + failed = total`,
  });
}

/**
 * Locks a batch that is to be validated, or whose files are to be written: no line is in progress, and none has a lost attempt
 * that still has to be superseded. The account whose last step is the longest ago comes first. The lock lasts as long as the
 * transaction, so another process skips the batch.
 */
export async function lockBatchStep(tx: Tx): Promise<BatchRow | undefined> {
  const result = await tx.query<BatchRow>({
    name: 'batches.lock_step',
    text: `
      SELECT ${COLUMNS} FROM batches LEFT JOIN batch_turns t USING (account_id)
      WHERE ended_at IS NULL
        AND coalesce(CASE WHEN validation IS NULL THEN step_due_at ELSE validation_due_at END, now()) <= now()
        AND (status = 'validating' OR (
        status IN ('finalizing', 'cancelling') AND NOT EXISTS (
          SELECT FROM batch_lines l WHERE l.batch_id = batches.batch_id AND NOT l.is_done
            AND (l.lease_until IS NOT NULL OR l.is_dispatched OR l.superseded_attempt IS NOT NULL))))
      ORDER BY t.stepped_at NULLS FIRST, batch_id LIMIT 1 FOR UPDATE OF batches SKIP LOCKED`,
  });
  return result.rows[0];
}

/** Records that an account had its turn, so that the next step is of another one. */
export async function recordBatchTurn(db: Queryable, accountId: string): Promise<void> {
  await db.query({
    name: 'batch_turns.record',
    text: `INSERT INTO batch_turns (account_id, stepped_at) VALUES ($1, clock_timestamp())
           ON CONFLICT (account_id) DO UPDATE SET stepped_at = excluded.stepped_at`,
    values: [accountId],
  });
}

/** Deletes turns of accounts that had none for a day. Returns their number. */
export async function purgeBatchTurns(db: Queryable, limit: number): Promise<number> {
  const result = await db.query({
    name: 'batch_turns.purge',
    text: `DELETE FROM batch_turns WHERE account_id = ANY (ARRAY(
             SELECT account_id FROM batch_turns WHERE stepped_at < now() - interval '24 hours' ORDER BY stepped_at LIMIT $1))`,
    values: [limit],
  });
  return result.rowCount ?? 0;
}

/** Takes no step of a batch for a time, so that others advance. */
export async function delayBatchStep(db: Queryable, batchId: string, delayMs: number): Promise<void> {
  await db.query({
    name: 'batches.delay_step',
    text: `UPDATE batches SET step_due_at = greatest(step_due_at, now() + $2 * interval '1 ms'),
                              validation_due_at = now() + $2 * interval '1 ms' WHERE batch_id = $1`,
    values: [batchId, delayMs],
  });
}

/** Stores how far the input of a batch is validated. The previous version skips the batch for a time. */
export async function saveValidation(
  tx: Tx,
  batchId: string,
  validation: string,
  previousVersionMs: number,
): Promise<void> {
  await tx.query({
    name: 'batches.save_validation',
    text: `UPDATE batches SET validation = $2, validation_due_at = NULL, step_due_at = now() + $3 * interval '1 ms'
           WHERE batch_id = $1`,
    values: [batchId, validation, previousVersionMs],
  });
}

/** Starts the lines of a validated batch. */
export async function startBatch(tx: Tx, batchId: string, total: number, model: string | null): Promise<void> {
  await tx.query({
    name: 'batches.start',
    text: `UPDATE batches SET status = 'in_progress', in_progress_at = now(), total = $2, model = $3,
                              validation = NULL, step_due_at = NULL WHERE batch_id = $1`,
    values: [batchId, total, model],
  });
}

/** Ends a batch whose input is not valid. Returns false and changes nothing when it is no longer validated. */
export async function failBatch(tx: Tx, batchId: string, errors: string): Promise<boolean> {
  const result = await tx.query({
    name: 'batches.fail',
    text: `UPDATE batches SET status = 'failed', failed_at = now(), ended_at = now(), errors = $2, validation = NULL
           WHERE batch_id = $1 AND status = 'validating'`,
    values: [batchId, errors],
  });
  return result.rowCount === 1;
}

/** Ends a batch whose files are written. Lines that were not run count as failed, unless they were canceled. */
export async function endBatch(
  tx: Tx,
  { batchId, outcome }: { batchId: string; outcome: BatchOutcome },
  files: { outputFileId: string | null; errorFileId: string | null },
): Promise<void> {
  await tx.query({
    name: 'batches.end',
    text: `
      UPDATE batches
      SET status = $2, ended_at = now(), finalizing_at = coalesce(finalizing_at, now()),
          completed_at = CASE WHEN $2 = 'completed' THEN now() END,
          expired_at = CASE WHEN $2 = 'expired' THEN now() END,
          canceled_at = CASE WHEN $2 = 'cancelled' THEN now() END,
          failed = CASE WHEN $2 = 'expired' THEN total - completed ELSE failed END,
          output_file_id = $3, error_file_id = $4
      WHERE batch_id = $1`,
    values: [batchId, outcome, files.outputFileId, files.errorFileId],
  });
}

/** Deletes batches that ended longer than `retentionMs` ago. Returns their number. */
export async function purgeBatches(db: Queryable, retentionMs: number, limit: number): Promise<number> {
  const result = await db.query({
    name: 'batches.purge',
    text: `DELETE FROM batches WHERE batch_id = ANY (ARRAY(
             SELECT batch_id FROM batches WHERE ended_at < now() - $1 * interval '1 ms'
             ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    values: [retentionMs, limit],
  });
  return result.rowCount ?? 0;
}
