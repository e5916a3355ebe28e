import { isTransientError } from '@tollgate/errors';
import { FIRST_ID, KeyRing, withTransaction } from '@tollgate/postgres';
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
} from '../../store/batches/batches.js';
import type { Pool } from '../../store/database.js';
import { validateBatch } from './validate-batch.js';
import { writeBatchFiles } from './write-batch-files.js';

/** The parts of the ring of accounts that one pass visits until it finds a step. */
const VISITS_MAX = 16;

/** Takes steps of batches: validates parts of their inputs, and writes their files. */
export class BatchSteps {
  readonly #pool: Pool;
  readonly #logger: Logger;
  readonly #ring = new KeyRing();
  #finalizedTo = FIRST_ID;

  constructor(pool: Pool, logger: Logger) {
    this.#pool = pool;
    this.#logger = logger;
  }

  /**
   * Takes one step of one batch of the next account. The row stays locked for as long as the step lasts, so if the process stops midway, the
   * batch is unchanged. Returns whether there may be more steps.
   */
  async advance(): Promise<boolean> {
    await expireBatches(this.#pool);
    this.#finalizedTo = await finalizeBatches(this.#pool, this.#finalizedTo);
    for (let visits = 0; visits < VISITS_MAX; visits++) {
      const { batch, next } = await this.#step();
      if (batch) {
        this.#ring.advance(batch.account_id);
        this.#ring.startRound();
        return true;
      }
      if (!this.#ring.advance(next)) return false;
    }
    return true;
  }

  /** Takes a step of the next accounts, if they have one. */
  async #step(): Promise<{ batch: BatchRow | undefined; next: string }> {
    let next = FIRST_ID;
    let batch: BatchRow | undefined;
    try {
      await withTransaction(this.#pool, async (tx) => {
        ({ batch, next } = await lockBatchStep(tx, this.#ring.next));
        if (batch) await (batch.status === 'validating' ? validateBatch(tx, batch) : writeBatchFiles(tx, batch));
      });
    } catch (error) {
      if (!batch) throw error;
      await afterFailure(this.#pool, this.#logger, batch, error);
    }
    return { batch, next };
  }
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
    if ((await failBatch(tx, { batchId, errors })) === 1) await deleteLines(tx, batchId);
  });
}
