import { toBackgroundResponseId } from '@tollgate/api/compatible';
import type { JsonThread } from '@tollgate/runtime/threads';
import { type DiscardClients, discardAnswer } from '../../clients/discard-answer.js';
import { toResponseFailure, toUnstoredAnswer } from '../../domain/background/background-answer.js';
import { backgroundHoldId } from '../../domain/background/background-ids.js';
import { backgroundLimits } from '../../domain/background/background-limits.js';
import type { BackgroundOptions } from '../../domain/background/background-options.js';
import { readExpandedRequest } from '../../domain/batches/batch-request.js';
import {
  type BackgroundItem,
  endBackground,
  markBackgroundDispatched,
  putBackBackground,
  readBackgroundBody,
} from '../../store/background/background-queue.js';
import type { Pool } from '../../store/database.js';
import { parseLargeJson } from '../requests/parse-large-json.js';
import { orPutBack, type QueuedRequest, type RequestContext, runRequest } from '../requests/run-request.js';

/** The parts of the service's context that a background response uses. */
export type BackgroundContext = RequestContext & { pool: Pool; clients: DiscardClients; jsonThread: JsonThread };

const DISCARD_TIMEOUT_MS = 5_000;

/** Makes one response. `signal` aborts when its lease is lost, or it is canceled. */
export async function runBackground(ctx: BackgroundContext, item: BackgroundItem, signal: AbortSignal): Promise<void> {
  const request = toRequest(ctx, item);
  return orPutBack(ctx, request, signal, async (call) => {
    // A lost attempt may have stored its answer, or may still do so. The response gets another answer, or fails.
    const superseded = request.supersedesHoldId;
    if (superseded) await discardAnswer(ctx.clients, superseded, call.detached(DISCARD_TIMEOUT_MS));
    return runRequest(ctx, request, signal);
  });
}

function toRequest({ pool, jsonThread }: BackgroundContext, item: BackgroundItem): QueuedRequest {
  const { id, attempt, supersededAttempt, principal, traceparent, remainingMs, lost, tries } = item;
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
    limits: backgroundLimits,
    readBody: () => readBackgroundBody(pool, item),
    read: async (body, call) => ({
      request: readExpandedRequest(await parseLargeJson(jsonThread, body, call)),
      body,
      isExpanded: false, // the stored items are part of its row
      sending: { storage: { ...storage, backgroundId: toBackgroundResponseId(id) }, usesCache, betas },
    }),
    markDispatched: () => markBackgroundDispatched(pool, item),
    end: (end) =>
      'answer' in end
        ? endBackground(pool, item, {
            status: 'completed',
            answer: toUnstoredAnswer(end.answer, id),
            error: undefined,
          })
        : endBackground(pool, item, {
            status: 'failed',
            answer: undefined,
            error: JSON.stringify(toResponseFailure(end.error)),
          }),
    putBack: (how) => putBackBackground(pool, item, how),
  };
}
