import { type Queryable, type Tx, withTransaction } from '@tollgate/postgres';
import type { Call } from '@tollgate/rpc';
import type { JsonObject } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import type { AnswerPlaces } from '../../dialects/dialect.js';
import { toCaller, toItems, toStoredParts } from '../../domain/stored-response.js';
import { insertResponse } from '../../store/responses.js';
import { appendItems } from '../conversations/append-items.js';
import { toTerm } from '../conversations/conversations.js';
import { CHAIN_MAX } from './read-history.js';

/** The response of a turn, which is stored before its end is sent. */
export interface TurnResponse {
  /** The hold of the turn, so that it is stored once. */
  holdId: string;
  response: Readonly<JsonObject>;
  input: unknown;
  /** Leading items of the input that are stored with the responses before, or in the conversation. */
  historyItems: number;
  /** Key of the response that this one continues. */
  previousKey: string | undefined;
  /** Key of the conversation to which the turn is added. */
  conversationKey: string | undefined;
  /** Clients can read and continue it as a response. */
  isListed: boolean;
}

const NOWHERE: AnswerPlaces = { isStored: false, isInConversation: false };

export type StoringContext = Pick<Context, 'clock' | 'config' | 'logger' | 'pool' | 'responseLimits'>;

/**
 * Stores a response, adds the turn to its conversation, and returns where it is kept. A failure is logged, not thrown.
 * The answer has been paid for, so it is sent anyway, with `store: false`.
 */
export async function storeResponse(ctx: StoringContext, turn: TurnResponse, call: Call): Promise<AnswerPlaces> {
  const caller = toCaller(call.requirePrincipal());
  let kept: AnswerPlaces;
  try {
    kept = turn.conversationKey
      ? await withTransaction(ctx.pool, (tx) => storeInConversation(ctx, tx, turn, call))
      : await storeAlone(ctx, ctx.pool, turn, call);
  } catch (err) {
    ctx.logger.error({ err, request_id: call.requestId }, 'response not stored');
    return NOWHERE;
  }
  ctx.responseLimits.note(caller);
  return kept;
}

/** All or nothing, so that a response which names its conversation is also in it. */
async function storeInConversation(
  ctx: Pick<Context, 'clock' | 'config'>,
  tx: Tx,
  turn: TurnResponse,
  call: Call,
): Promise<AnswerPlaces> {
  const { holdId, conversationKey = '', input, historyItems, response } = turn;
  const own = toItems(input).slice(historyItems) as JsonObject[];
  const items = [...own, ...(Array.isArray(response.output) ? (response.output as JsonObject[]) : [])];
  const added = await appendItems(tx, { conversationKey, sourceId: holdId, items, ...toTerm(ctx) });
  // Another attempt of the request has taken the place of this one.
  if (added === 'repeated') return NOWHERE;
  if (added === 'added') return { ...(await storeAlone(ctx, tx, turn, call)), isInConversation: true };
  const { conversation: _deleted, ...rest } = response;
  return storeAlone(ctx, tx, { ...turn, response: rest }, call);
}

async function storeAlone(
  ctx: Pick<Context, 'clock' | 'config'>,
  db: Queryable,
  turn: TurnResponse,
  call: Call,
): Promise<AnswerPlaces> {
  if (!turn.isListed) return NOWHERE;
  const { now, expiresAt } = toTerm(ctx);
  const stored = {
    ...toStoredParts(turn.response, turn.input, turn.historyItems),
    ...toCaller(call.requirePrincipal()),
    id: turn.holdId,
    previousId: turn.previousKey ?? null,
    createdAt: now,
    expiresAt,
  };
  const isStored = await insertResponse(db, stored, CHAIN_MAX);
  return { isStored, isInConversation: false };
}
