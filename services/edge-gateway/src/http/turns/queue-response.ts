import { type CompatibleResponsesBody, toBackgroundResponseId, toResponseHead } from '@tollgate/api/compatible';
import { AppError, isAppError } from '@tollgate/errors';
import { type Call, wasNotDelivered } from '@tollgate/rpc';
import { systemClock } from '@tollgate/runtime';
import { release, underHold } from '@tollgate/spending';
import { discardLostResponse } from '../../operations/attempts/discard-lost-responses.js';
import { writeResult } from '../answer/write-result.js';
import type { Exchange } from '../exchange/exchange.js';
import type { RouteResult } from '../exchange/route.js';
import { admitInTurn } from './admit-turn.js';
import { JSON_HEADERS } from './run-turn.js';
import { BACKGROUND_STREAM_TIMEOUT_MS, streamBackground } from './stream-background.js';
import type { StoragePlan, TurnRequest, TurnRoute } from './turn-route.js';

const QUEUE_TIMEOUT_MS = 10_000;
/** Refusals after which nothing is queued. */
const REFUSALS: ReadonlySet<AppError['code']> = new Set(['RATE_LIMIT', 'PAYLOAD_TOO_LARGE', 'INVALID_INPUT']);

interface SentBody {
  body: CompatibleResponsesBody;
  bytes: Uint8Array;
}

/** Admits a turn and queues it under its hold. Answers with the queued response once it is stored, or with its stream. */
export async function queueResponse(
  exchange: Exchange<TurnRoute>,
  turn: TurnRequest & { storage: StoragePlan },
  sent: SentBody,
  call: Call,
): Promise<void> {
  if (turn.format === undefined) {
    exchange.reply.answer(200, JSON_HEADERS, (await queue(exchange, turn, sent, call)).responseJson);
    return;
  }
  const close = exchange.ctx.backgroundStreams.take(call.requirePrincipal());
  let queued: Queued;
  try {
    queued = await queue(exchange, turn, sent, call);
  } catch (error) {
    close();
    throw error;
  }
  await writeResult(exchange, await openStream(exchange, queued.id, call, close), 200);
}

/** Opens the stream of a response that is queued, which outlasts the deadline of a turn. */
async function openStream(
  exchange: Exchange<TurnRoute>,
  id: string,
  call: Call,
  close: () => void,
): Promise<RouteResult> {
  const { ctx, ids } = exchange;
  let watching = call;
  // A stream that is kept for repeats is read to its end, although its client has left.
  if (!exchange.reply.copy) {
    watching = call.detached(BACKGROUND_STREAM_TIMEOUT_MS);
    exchange.abortWhenClientLeaves(watching);
  }
  try {
    return await streamBackground(ctx, { id, startingAfter: undefined }, watching, close);
  } catch (error) {
    // Its client does not know it, and asks again.
    await discardLostResponse(ctx, ids.holdId, call);
    throw error;
  }
}

interface Queued {
  id: string;
  responseJson: Uint8Array;
}

async function queue(
  exchange: Exchange<TurnRoute>,
  turn: TurnRequest & { storage: StoragePlan },
  { body, bytes }: SentBody,
  call: Call,
): Promise<Queued> {
  const { ctx, ids } = exchange;
  const { admission } = await admitInTurn(exchange, turn, call);
  if (call.isAborted) {
    await release(ctx.ledger, ids, 'CANCELED', call);
    throw new AppError('RELAY_TIMEOUT', 'the client disconnected');
  }
  const facts = {
    id: toBackgroundResponseId(ids.holdId),
    model: body.model ?? admission.modelId,
    startedAt: systemClock.nowMs(),
    isStored: true,
    isInConversation: turn.storage.conversationKey !== '',
  };
  const request = {
    holdId: ids.holdId,
    body: bytes,
    headJson: Buffer.from(JSON.stringify(toResponseHead(facts, body))),
    storage: turn.storage,
    usesCache: turn.usesCache ?? call.principal?.responseCache ?? false,
    betas: turn.betas ?? [],
    holdTtlMs: admission.holdTtlMs,
    isStreamed: turn.format !== undefined,
  };
  const queued = ctx.clients.backgroundResponses.createBackgroundResponse(
    request,
    call.with({ timeoutMs: QUEUE_TIMEOUT_MS }),
  );
  try {
    const { responseJson } = await underHold(ctx.ledger, ids, call, queued);
    return { id: facts.id, responseJson };
  } catch (error) {
    await undo(exchange, error, call);
    throw error;
  }
}

/** Releases the hold of a request that was refused, and discards any other: it may be queued, and its client does not know it. */
async function undo({ ctx, ids }: Exchange<TurnRoute>, error: unknown, call: Call): Promise<void> {
  if (isAppError(error) && REFUSALS.has(error.code)) {
    await release(ctx.ledger, ids, 'CANCELED', call);
    ids.isUndispatched = true;
  } else if (!wasNotDelivered(error)) {
    // A repeat with the same idempotency key discards it again.
    await discardLostResponse(ctx, ids.holdId, call);
  }
}
