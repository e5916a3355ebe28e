import {
  type ExpandedResponses,
  expandedResponsesBody,
  expandResponses,
  inputOfCompatibleResponses,
  isSelfContained,
  type SentInputTokensBody,
  type SentResponsesBody,
  toHistoryQuery,
} from '@tollgate/api/compatible';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { BODY_BYTES_MAX, BodyShare, overloaded, tooLarge } from '../exchange/body/read-body.js';
import type { Exchange } from '../exchange/exchange.js';
import { validate } from '../exchange/validate.js';
import { queueResponse } from './queue-response.js';
import { runTurn } from './run-turn.js';
import type { TurnRequest, TurnRoute } from './turn-route.js';

/** Runs a turn whose answer may be stored, and which may continue stored answers. */
export async function runStatefulTurn(
  exchange: Exchange<TurnRoute>,
  turn: TurnRequest,
  bytes: Uint8Array,
  call: Call,
): Promise<void> {
  const { stateful: body } = turn;
  if (!body) return runTurn(exchange, turn, bytes, call);
  const isStored = decideStorage(exchange, body);
  if (isSelfContained(body)) {
    const storage = { previousKey: '', historyItems: 0, conversationKey: '', isUnlisted: false };
    const stored = isStored ? { ...turn, storage } : turn;
    return body.background
      ? queueResponse(exchange, { ...turn, storage }, { body, bytes }, call)
      : runTurn(exchange, stored, bytes, call);
  }
  // Nothing is spent before the stored items have been read.
  exchange.ids.isUndispatched = true;
  const share = new BodyShare(exchange.ctx.bodies, exchange.principal);
  try {
    const { expanded, previousKey, historyItems, conversationKey, storedBytes } = await expandResponsesBody(
      exchange.ctx,
      body,
      share,
      call,
    );
    const whole = validate(expandedResponsesBody, expanded);
    const wholeBytes = Buffer.from(JSON.stringify(whole));
    if (wholeBytes.length > BODY_BYTES_MAX.generating) throw tooLarge(BODY_BYTES_MAX.generating);
    // The sent items are in memory twice.
    if (!share.take(Math.max(0, wholeBytes.length - storedBytes))) throw overloaded();
    const input = inputOfCompatibleResponses(whole);
    const storage = { previousKey, historyItems, conversationKey, isUnlisted: !isStored };
    const isKept = isStored || conversationKey !== '';
    const kept = { ...turn, input, ...(isKept && { storage }) };
    await (body.background
      ? queueResponse(exchange, { ...turn, input, storage }, { body: whole, bytes: wholeBytes }, call)
      : runTurn(exchange, kept, wholeBytes, call));
  } finally {
    share.giveBack();
  }
}

/** Returns whether the answer is stored. @throws AppError VALIDATION_ERROR when the request needs it and the project forbids it */
function decideStorage({ ctx, principal }: Exchange<TurnRoute>, body: SentResponsesBody): boolean {
  const { background, conversation, store } = body;
  if (background) requireStorage(ctx, principal, 'background', 'leave background out');
  if (store === true) requireStorage(ctx, principal, 'store', 'send store: false');
  if (conversation) requireStorage(ctx, principal, 'conversation');
  return store !== false && allowsStorage(ctx, principal);
}

/**
 * Replaces references to stored items by the items themselves, and counts their bytes in `share`.
 *
 * @throws AppError in the words of the vendor when one does not exist for the caller; PAYLOAD_TOO_LARGE when the items have more
 *   bytes than a body may have; SERVICE_UNAVAILABLE when the process holds too many bodies
 */
export async function expandResponsesBody(
  ctx: Pick<Context, 'clients'>,
  body: SentInputTokensBody,
  share: BodyShare,
  call: Call,
): Promise<ExpandedResponses> {
  const stored = await ctx.clients.storedResponses.readHistory(toHistoryQuery(body), call);
  const result = expandResponses(body, stored, (storedBytes) => {
    if (storedBytes > BODY_BYTES_MAX.generating) throw tooLarge(BODY_BYTES_MAX.generating);
    if (!share.take(storedBytes)) throw overloaded();
  });
  if (result.kind === 'missing') {
    throw new AppError(result.code, result.message, { vendorError: result.vendorError });
  }
  return result;
}

/** Whether the caller's project stores responses and conversations. */
export function allowsStorage(ctx: Pick<Context, 'config'>, principal: Principal | undefined): boolean {
  return principal?.responseStorage ?? ctx.config.responseStorage;
}

/** @throws AppError VALIDATION_ERROR that names `field` when the project stores nothing */
export function requireStorage(
  ctx: Pick<Context, 'config'>,
  principal: Principal | undefined,
  field: string,
  instead = 'send the whole conversation as input',
): void {
  if (allowsStorage(ctx, principal)) return;
  const message = `this project does not store responses: ${instead}, or enable response_storage in the project`;
  throw new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
}
