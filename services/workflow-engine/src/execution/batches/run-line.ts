import type { AppError } from '@tollgate/errors';
import { toOpenAiError, vendorStatus } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { release, supersede } from '@tollgate/spending';
import { discardAnswer } from '../../clients/discard-answer.js';
import { NO_USAGE, readAnswerUsage } from '../../domain/batches/answer-usage.js';
import { lineHoldId } from '../../domain/batches/batch-ids.js';
import { batchLimits } from '../../domain/batches/batch-limits.js';
import { batchLines, dropLine, endLine, type LineEnd, type LineItem } from '../../store/batches/batch-lines.js';
import type { Pool } from '../../store/database.js';
import { createRequestPool, type RequestPool, type RequestPoolOptions } from '../requests/request-pool.js';
import { orPutBack, type QueuedRequest, type RequestContext, runRequest } from '../requests/run-request.js';
import { BatchSteps } from './advance-batches.js';
import { ExpandedBytes, type HistoryContext, LineHistory } from './line-history.js';
import { readLineRequest } from './read-line-request.js';

/** The parts of the service's context that a line uses. */
export type LineContext = RequestContext & { pool: Pool } & HistoryContext;

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
