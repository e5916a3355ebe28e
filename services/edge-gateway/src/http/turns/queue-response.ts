import { type CompatibleResponsesBody, toBackgroundResponseId, toResponseHead } from '@tollgate/api/compatible';
import { AppError, isAppError } from '@tollgate/errors';
import { type Call, lacksMethod, wasNotDelivered } from '@tollgate/rpc';
import { release, underHold } from '@tollgate/spending';
import { discardLostResponse } from '../../operations/attempts/discard-lost-responses.js';
import type { Exchange } from '../exchange/exchange.js';
import { JSON_HEADERS } from './run-turn.js';
import { admitInTurn } from './start-turn.js';
import type { StoragePlan, TurnRequest, TurnRoute } from './turn-request.js';

const QUEUE_TIMEOUT_MS = 10_000;
/** Refusals after which nothing is queued. */
const REFUSALS: ReadonlySet<AppError['code']> = new Set(['RATE_LIMIT', 'PAYLOAD_TOO_LARGE', 'INVALID_INPUT']);

/** Admits a turn and queues it under its hold. Answers with the queued response once it is stored. */
export async function queueResponse(
  exchange: Exchange<TurnRoute>,
  turn: TurnRequest & { storage: StoragePlan },
  { body, bytes }: { body: CompatibleResponsesBody; bytes: Uint8Array },
  call: Call,
): Promise<void> {
  const { ctx, ids } = exchange;
  const { admission } = await admitInTurn(exchange, turn, call);
  if (call.isAborted) {
    await release(ctx.ledger, ids, 'CANCELED', call);
    throw new AppError('RELAY_TIMEOUT', 'the client disconnected');
  }
  const facts = {
    id: toBackgroundResponseId(ids.holdId),
    model: body.model ?? admission.modelId,
    startedAt: Date.now(),
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
  };
  const queued = ctx.clients.backgroundResponses.createBackgroundResponse(
    request,
    call.with({ timeoutMs: QUEUE_TIMEOUT_MS }),
  );
  try {
    const { responseJson } = await underHold(ctx.ledger, ids, call, queued);
    exchange.answer(200, JSON_HEADERS, responseJson);
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
  } else if (!wasNotDelivered(error) && !lacksMethod(error)) {
    // A repeat with the same idempotency key discards it again.
    await discardLostResponse(ctx, ids.holdId, call);
  }
}
