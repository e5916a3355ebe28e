import { type AppError, isTransientError, toOpenAiError, vendorStatus } from '@tollgate/errors';
import { FIRST_ID, KeyRing, withTransaction } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import type { Logger } from '@tollgate/runtime';
import { release, supersede } from '@tollgate/spending';
import { discardAnswer } from '../../clients/discard-answer.js';
import { NO_USAGE, readAnswerUsage } from '../../domain/batches/answer-line.js';
import { lineHoldId } from '../../domain/batches/batch-ids.js';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { fault } from '../../domain/batches/batch-line.js';
import {
  batchLines,
  deleteLines,
  dropLine,
  endLine,
  type LineEnd,
  type LineItem,
} from '../../store/batches/batch-lines.js';
import {
  type BatchRow,
  delayBatchStep,
  expireBatches,
  failBatch,
  finalizeBatches,
  lockBatchStep,
} from '../../store/batches/batches.js';
import type { Pool } from '../../store/database.js';
import { createRequestPool, type RequestPool, type RequestPoolOptions } from '../requests/request-pool.js';
import { orPutBack, type QueuedRequest, type RequestContext, runRequest } from '../requests/run-request.js';
import { ExpandedBytes, type HistoryContext, LineHistory, readLineRequest } from './line-request.js';
import { validateBatch } from './validate-batch.js';
import { writeBatchFiles } from './write-batch-files.js';

/** The parts of the service's context that a line uses. */
type LineContext = RequestContext & { pool: Pool } & HistoryContext;

/** Runs the lines of batches. Batches are advanced beside them. */
export function createLinePool(
  parts: Omit<LineContext, 'expandedBytes'>,
  work: RequestPoolOptions<LineItem>['work'],
): RequestPool<LineItem> {
  const ctx: LineContext = { ...parts, expandedBytes: new ExpandedBytes() };
  const { pool, logger, dependencies } = ctx;
  const steps = new BatchSteps(pool, logger);
  return createRequestPool({
    name: 'batches',
    pool,
    logger,
    dependencies,
    store: batchLines,
    limits: batchLimits,
    work,
    run: (item, signal) => runLine(ctx, item, signal),
    advance: () => steps.advance(),
  });
}

/** Runs one line of a batch. `signal` aborts when its lease is lost. */
async function runLine(ctx: LineContext, item: LineItem, signal: AbortSignal): Promise<void> {
  const history = new LineHistory(ctx);
  const request = toRequest(ctx.pool, item, history);
  try {
    await orPutBack(ctx, request, signal, async (call) => {
      await discardSuperseded(ctx, item, call);
      if (!item.isWanted) return giveUp(ctx, item, request.holdId, call);
      return runRequest(ctx, request, signal);
    });
  } finally {
    history.giveBack();
  }
}

/** Removes the response that a lost attempt may have stored, or may store later: the line gets another answer, or none. */
async function discardSuperseded({ clients }: LineContext, item: LineItem, call: Call): Promise<void> {
  const { batchId, line, supersededAttempt, endpoint } = item;
  if (supersededAttempt === undefined || endpoint !== '/v1/responses') return;
  if (call.requirePrincipal().responseStorage !== true) return;
  await discardAnswer(clients, lineHoldId(batchId, line, supersededAttempt), call);
}

/** Ends the holds of a line whose batch has ended: the customer is not charged for a lost attempt. */
async function giveUp(ctx: LineContext, item: LineItem, holdId: string, call: Call): Promise<void> {
  const { batchId, line, supersededAttempt } = item;
  if (supersededAttempt !== undefined) {
    await supersede(ctx.ledger, { holdId: lineHoldId(batchId, line, supersededAttempt) }, call);
  }
  await release(ctx.ledger, { holdId }, 'CANCELED', call);
  await dropLine(ctx.pool, item);
}

function toRequest(pool: Pool, item: LineItem, history: LineHistory): QueuedRequest {
  const { batchId, line, attempt, supersededAttempt, epoch, principal, traceparent, lost, tries, waits } = item;
  return {
    holdId: lineHoldId(batchId, line, attempt),
    supersedesHoldId: supersededAttempt === undefined ? undefined : lineHoldId(batchId, line, supersededAttempt),
    isResumed: epoch > 1,
    principal,
    traceparent,
    timeoutMs: batchLimits.requestMs,
    lost,
    tries,
    waits,
    limits: batchLimits,
    readBody: () => batchLines.readBody(pool, item),
    read: (body, call) => readLineRequest(history, item.endpoint, body, call),
    markDispatched: () => batchLines.markDispatched(pool, item),
    end: (end) => endLine(pool, item, 'answer' in end ? toSuccess(end.answer) : toFailure(end.error)),
    putBack: (how) => batchLines.putBack(pool, item, how),
  };
}

function toSuccess(answer: string): LineEnd {
  return { statusCode: 200, answer, isSuccess: true, usage: readAnswerUsage(answer) };
}

/** Returns an error as the endpoint would answer it. */
function toFailure(error: AppError): LineEnd {
  const answer = JSON.stringify({ error: toOpenAiError(error) });
  return { statusCode: vendorStatus(error), answer, isSuccess: false, usage: NO_USAGE };
}

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
