import { withTransaction } from '@tollgate/postgres';
import { expireBatches, finalizeBatches, lockBatchStep } from '../../store/batches/batches.js';
import type { Pool } from '../../store/database.js';
import { validateBatch } from './validate-batch.js';
import { writeBatchFiles } from './write-batch-files.js';

/**
 * Takes one step of one batch: validates its input, or writes its files. The row stays locked for as long as the step lasts,
 * so a process that stops in it leaves the batch as it was. Returns whether there was a step.
 */
export async function advanceBatches(pool: Pool): Promise<boolean> {
  await expireBatches(pool);
  await finalizeBatches(pool);
  return withTransaction(pool, async (tx) => {
    const batch = await lockBatchStep(tx);
    if (!batch) return false;
    await (batch.status === 'validating' ? validateBatch(tx, batch) : writeBatchFiles(tx, batch));
    return true;
  });
}
