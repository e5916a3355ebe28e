import { isTransientError } from '@tollgate/errors';
import { withTransaction } from '@tollgate/postgres';
import type { Logger } from '@tollgate/runtime';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { fault } from '../../domain/batches/batch-line.js';
import { deleteLines } from '../../store/batches/batch-lines.js';
import {
  type BatchRow,
  delayBatchStep,
  expireBatches,
  failBatch,
  finalizeBatches,
  lockBatchStep,
  recordBatchTurn,
} from '../../store/batches/batches.js';
import type { Pool } from '../../store/database.js';
import { validateBatch } from './validate-batch.js';
import { writeBatchFiles } from './write-batch-files.js';

/**
 * Takes one step of one batch: validates a part of its input, or writes its files. The row stays locked for as long as the step lasts, so
 * if the process stops midway, the batch is unchanged. Returns whether there was a step.
 */
export async function advanceBatches(pool: Pool, logger: Logger): Promise<boolean> {
  await expireBatches(pool);
  await finalizeBatches(pool);
  let batch: BatchRow | undefined;
  try {
    await withTransaction(pool, async (tx) => {
      batch = await lockBatchStep(tx);
      if (batch) await (batch.status === 'validating' ? validateBatch(tx, batch) : writeBatchFiles(tx, batch));
    });
  } catch (error) {
    if (!batch) throw error;
    await afterFailure(pool, logger, batch, error);
  }
  if (batch) await recordBatchTurn(pool, batch.account_id);
  return batch !== undefined;
}

/** Keeps a batch whose step failed from delaying the others. Answers that are charged are not discarded: their files are tried again. */
async function afterFailure(pool: Pool, logger: Logger, batch: BatchRow, error: unknown): Promise<void> {
  const { batch_id: batchId, status } = batch;
  if (isTransientError(error)) {
    logger.warn({ err: error, batch_id: batchId, status }, 'step of a batch failed; retrying');
    return delayBatchStep(pool, batchId, batchLimits.stepRetryMs);
  }
  logger.error({ err: error, batch_id: batchId, status }, 'step of a batch failed');
  if (status !== 'validating') return delayBatchStep(pool, batchId, batchLimits.brokenStepRetryMs);
  const message = 'The input file could not be validated. Create the batch again, or contact support.';
  const errors = JSON.stringify([fault(null, 'internal_error', message, null)]);
  await withTransaction(pool, async (tx) => {
    if (await failBatch(tx, batchId, errors)) await deleteLines(tx, batchId);
  });
}
