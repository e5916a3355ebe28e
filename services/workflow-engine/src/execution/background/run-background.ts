import { toBackgroundResponseId } from '@tollgate/api/compatible';
import { withTransaction } from '@tollgate/postgres';
import type { JsonThread } from '@tollgate/runtime/threads';
import { type DiscardClients, discardAnswer } from '../../clients/discard-answer.js';
import {
  toBackgroundResponse,
  toResponseFailure,
  toUnstoredAnswer,
} from '../../domain/background/background-answer.js';
import { toLastEvent } from '../../domain/background/background-events.js';
import {
  type BackgroundOptions,
  backgroundHoldId,
  backgroundLimits,
} from '../../domain/background/background-request.js';
import { readExpandedRequest } from '../../domain/batches/batch-request.js';
import { insertBackgroundEvents } from '../../store/background/background-events.js';
import { type BackgroundItem, backgroundQueue, endBackground } from '../../store/background/background-queue.js';
import type { Pool } from '../../store/database.js';
import { parseLargeJson } from '../requests/parse-large-json.js';
import { createRequestPool, type RequestPool, type RequestPoolOptions } from '../requests/request-pool.js';
import { orPutBack, type QueuedRequest, type RequestContext, runRequest } from '../requests/run-request.js';
import type { WakeUps } from '../wake-ups.js';
import { EventLog } from './event-log.js';

/** The parts of the service's context that a background response uses. */
export type BackgroundContext = RequestContext & {
  pool: Pool;
  clients: DiscardClients;
  jsonThread: JsonThread;
  wakeUps: Pick<WakeUps, 'logGrown'>;
};

const DISCARD_TIMEOUT_MS = 5_000;

/** Makes the responses of requests with `background`. */
export function createBackgroundPool(
  ctx: BackgroundContext,
  work: RequestPoolOptions<BackgroundItem>['work'],
): RequestPool<BackgroundItem> {
  const { pool, logger, dependencies } = ctx;
  return createRequestPool({
    name: 'background',
    pool,
    logger,
    dependencies,
    store: backgroundQueue,
    limits: backgroundLimits,
    work,
    run: (item, signal) => runBackground(ctx, item, signal),
  });
}

/** Makes one response. `signal` aborts when its lease is lost, or it is canceled. */
async function runBackground(ctx: BackgroundContext, item: BackgroundItem, signal: AbortSignal): Promise<void> {
  const log = item.isStreamed ? openLog(ctx, item) : undefined;
  const request = toRequest(ctx, item, log);
  return orPutBack(ctx, request, signal, async (call) => {
    await log?.resume();
    // A lost attempt may have stored its answer, or may still do so. The response gets another answer, or fails.
    const superseded = request.supersedesHoldId;
    if (superseded) await discardAnswer(ctx.clients, superseded, call.detached(DISCARD_TIMEOUT_MS));
    return runRequest(ctx, request, signal);
  });
}

function openLog({ pool, wakeUps }: BackgroundContext, item: BackgroundItem): EventLog {
  return new EventLog({ pool, onAppended: (id, events) => wakeUps.logGrown(id, events) }, item);
}

function toRequest(ctx: BackgroundContext, item: BackgroundItem, log: EventLog | undefined): QueuedRequest {
  const { pool, jsonThread } = ctx;
  const { id, attempt, supersededAttempt, principal, traceparent, remainingMs, lost, tries, waits } = item;
  const { usesCache, betas, ...storage } = JSON.parse(item.options) as BackgroundOptions;
  return {
    holdId: backgroundHoldId(id, attempt),
    supersedesHoldId: supersededAttempt === undefined ? undefined : backgroundHoldId(id, supersededAttempt),
    // The edge has held the funds of the first attempt, and each later one may be from an earlier lease.
    isResumed: true,
    principal,
    traceparent,
    timeoutMs: remainingMs,
    lost,
    tries,
    waits,
    limits: backgroundLimits,
    readBody: () => backgroundQueue.readBody(pool, item),
    read: async (body, call) => ({
      request: readExpandedRequest(await parseLargeJson(jsonThread, body, call)),
      body,
      isExpanded: false, // the stored items are part of its row
      sending: {
        storage: { ...storage, backgroundId: toBackgroundResponseId(id) },
        usesCache,
        betas,
        takeEvent: log && ((json) => log.take(json)),
      },
    }),
    markDispatched: () => backgroundQueue.markDispatched(pool, item),
    end: async (end) => {
      await log?.flush();
      await endResponse(ctx, item, end);
    },
    putBack: async (how) => {
      await log?.flush();
      await backgroundQueue.putBack(pool, item, how);
    },
  };
}

/** Ends a response, and the stream of its events with it. Changes nothing when the lease was lost. */
async function endResponse(
  { pool, wakeUps }: BackgroundContext,
  item: BackgroundItem,
  end: Parameters<QueuedRequest['end']>[0],
): Promise<void> {
  const { id, isStreamed } = item;
  const answer = 'answer' in end ? toUnstoredAnswer(end.answer, id) : undefined;
  const error = 'error' in end ? JSON.stringify(toResponseFailure(end.error)) : undefined;
  const status = 'answer' in end ? 'completed' : 'failed';
  if (!isStreamed) {
    await endBackground(pool, item, { status, answer, error });
    return;
  }
  const events = await withTransaction(pool, async (tx) => {
    const ended = await endBackground(tx, item, { status, answer, error });
    if (!ended) return [];
    const json =
      'answer' in end
        ? (answer ?? end.answer)
        : toBackgroundResponse({ head: ended.head, status, error: error ?? null, answer: null })!;
    const last = [toLastEvent(json, ended.last_event + 1)];
    await insertBackgroundEvents(tx, id, last);
    return last;
  });
  if (events.length > 0) wakeUps.logGrown(id, events);
}
