import type { BatchEndpoint } from '@tollgate/api/compatible';
import { FIRST_ID, type Queryable, type Tx } from '@tollgate/postgres';
import { lockBatchStep as lockStep, visitBatchSteps } from '../gen/batches/batch-steps.js';
import * as sql from '../gen/batches/batches.js';
import { toAccountVisit } from '../queues/walk.js';
import { type Owner, toOwnerInput } from './files.js';

export { endBatch, failBatch, startBatch } from '../gen/batches/batches.js';

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

/** A row of `batches`: what a client sees of it, whose it is, and how far its input is validated, as JSON. */
export type BatchRow = sql.FindBatchRow;

/**
 * Creates a batch, which a worker validates. Returns undefined when the project or its customer has too many unfinished ones. The project
 * must be locked.
 */
export async function insertBatch(
  tx: Tx,
  batch: NewBatch,
  unfinishedMax: { project: number; customer: number },
): Promise<BatchRow | undefined> {
  const { project: projectMax, customer: customerMax } = unfinishedMax;
  return sql.insertBatch(tx, { ...batch, traceparent: batch.traceparent ?? null, projectMax, customerMax });
}

export async function findBatch(db: Queryable, owner: Owner, batchId: string): Promise<BatchRow | undefined> {
  return sql.findBatch(db, { ...toOwnerInput(owner), batchId });
}

/** Lists batches, newest first. */
export async function listBatches(
  db: Queryable,
  owner: Owner,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<BatchRow[]> {
  return sql.listBatches(db, { ...toOwnerInput(owner), limit, after: after ?? null });
}

/** Starts no further lines of a batch. Returns undefined for a batch that is not in progress. */
export async function cancelBatch(db: Queryable, owner: Owner, batchId: string): Promise<BatchRow | undefined> {
  return sql.cancelBatch(db, { ...toOwnerInput(owner), batchId });
}

const EXPIRED_MAX = 100;

/** Ends the window of batches that were not finished in time, up to a limit. Skips those that are locked. */
export async function expireBatches(db: Queryable): Promise<void> {
  await db.query({
    name: 'batches.expire',
    text: `UPDATE batches SET status = 'finalizing', ends_as = 'expired', finalizing_at = now()
           WHERE batch_id = ANY (ARRAY(
             SELECT batch_id FROM batches
             WHERE ended_at IS NULL AND expires_at < now() AND status IN ('validating', 'in_progress')
             ORDER BY expires_at LIMIT ${EXPIRED_MAX} FOR UPDATE SKIP LOCKED))`,
  });
}

const FINALIZED_VISITED_MAX = 100;

/**
 * Moves batches on whose last line was ended by the previous version, which leaves that to a later statement: see `endLine`. Visits a page of
 * unfinished batches after `after`, and returns where the next one begins.
 */
export async function finalizeBatches(db: Queryable, after: string): Promise<string> {
  const { last, visited } = (await sql.finalizeBatches(db, { after }))!;
  return visited < FINALIZED_VISITED_MAX || last === null ? FIRST_ID : last;
}

/**
 * Locks the batch whose step is next: of the first account after `after` that has one. The lock lasts as long as the transaction, so another
 * process skips the batch. Without a batch, `next` is where the next visit begins.
 */
export async function lockBatchStep(tx: Tx, after: string): Promise<{ batch: BatchRow | undefined; next: string }> {
  const { keys: accountIds, next } = toAccountVisit(await visitBatchSteps(tx, { after }));
  return { batch: await lockStep(tx, { accountIds }), next };
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
