import type { BatchEndpoint } from '@tollgate/api/compatible';
import { FIRST_ID, type Queryable, type Tx } from '@tollgate/postgres';
import type { BatchRecord } from '../../domain/batches/batch-json.js';
import { walkAccounts } from '../queues/walk.js';
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
  const result = await db.query<{ last: string | null; visited: number }>({
    name: 'batches.finalize',
    text: `
      WITH page AS (
        SELECT batch_id, status = 'in_progress' AND completed + failed = total AS is_done
        FROM batches WHERE ended_at IS NULL AND batch_id > $1 ORDER BY batch_id LIMIT ${FINALIZED_VISITED_MAX}
      ), finalized AS (
        UPDATE batches SET status = 'finalizing', finalizing_at = now()
        FROM page WHERE page.is_done AND batches.batch_id = page.batch_id AND batches.status = 'in_progress'
      )
      SELECT (SELECT batch_id FROM page ORDER BY batch_id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM page) AS visited`,
    values: [after],
  });
  const { last, visited } = result.rows[0]!;
  return visited < FINALIZED_VISITED_MAX || last === null ? FIRST_ID : last;
}

/** The batches of an account that one step visits: more than a project may have. */
const STEPS_VISITED_MAX = 256;

/** Not the lines of batches in progress, of which there may be any number. */
const STEPPING = `ended_at IS NULL AND status <> 'in_progress'`;

/**
 * Returns SQL for batches of an account that are to be validated, or whose files are to be written: no line is in progress, and none has a
 * lost attempt that still has to be superseded.
 */
function dueSteps(account: string): string {
  return `
    SELECT b.batch_id FROM (
      SELECT * FROM batches WHERE account_id = ${account} AND ${STEPPING} ORDER BY batch_id LIMIT ${STEPS_VISITED_MAX}) AS b
    WHERE coalesce(CASE WHEN validation IS NULL THEN step_due_at ELSE validation_due_at END, now()) <= now()
      AND (status = 'validating' OR (
        NOT EXISTS (
          SELECT FROM batch_lines l
          WHERE l.account_id = b.account_id AND l.lease_until IS NOT NULL AND l.batch_id = b.batch_id AND NOT l.is_done)
        AND NOT EXISTS (
          SELECT FROM batch_lines l WHERE l.batch_id = b.batch_id AND NOT l.is_done AND l.lease_until IS NULL
            AND (l.is_dispatched OR l.superseded_attempt IS NOT NULL))))`;
}

const STEPS = walkAccounts({
  name: 'batches.visit_steps',
  table: 'batches',
  where: STEPPING,
  isOpen: `EXISTS (${dueSteps('next.account_id')})`,
});

/**
 * Locks the batch whose step is next: of the first account after `after` that has one. The lock lasts as long as the transaction, so another
 * process skips the batch. Without a batch, `next` is where the next visit begins.
 */
export async function lockBatchStep(tx: Tx, after: string): Promise<{ batch: BatchRow | undefined; next: string }> {
  const { keys, next } = await STEPS.visit(tx, after);
  const result = await tx.query<BatchRow>({
    name: 'batches.lock_step',
    text: `
      SELECT ${COLUMNS} FROM batches JOIN (
        SELECT step.batch_id, account.place FROM unnest($1::uuid[]) WITH ORDINALITY AS account (account_id, place)
        CROSS JOIN LATERAL (${dueSteps('account.account_id')}) AS step) AS due USING (batch_id)
      WHERE ${STEPPING} ORDER BY due.place, batch_id LIMIT 1 FOR UPDATE OF batches SKIP LOCKED`,
    values: [keys],
  });
  return { batch: result.rows[0], next };
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
