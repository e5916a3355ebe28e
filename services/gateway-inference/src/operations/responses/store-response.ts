import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { toCaller, toStoredParts } from '../../domain/stored-response.js';
import { insertResponse } from '../../store/responses.js';
import { CHAIN_MAX } from './read-history.js';

/** The response of a turn, which is stored before its end is sent. */
export interface TurnResponse {
  /** The hold of the turn, so that it is stored once. */
  holdId: string;
  response: Readonly<Record<string, unknown>>;
  input: unknown;
  /** Leading items of the input that are stored with the responses before. */
  historyItems: number;
  /** Key of the response that this one continues. */
  previousKey: string | undefined;
}

export type StoringContext = Pick<Context, 'clock' | 'config' | 'logger' | 'pool' | 'responseLimits'>;

/**
 * Stores a response and returns whether it is stored. A failure is logged, not thrown: the answer is paid for and leaves in
 * any case, and says that it is not stored.
 */
export async function storeResponse(ctx: StoringContext, turn: TurnResponse, call: Call): Promise<boolean> {
  const caller = toCaller(call.requirePrincipal());
  const createdAt = ctx.clock.now();
  try {
    const stored = {
      ...toStoredParts(turn.response, turn.input, turn.historyItems),
      ...caller,
      id: turn.holdId,
      previousId: turn.previousKey ?? null,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + ctx.config.storedResponses.ttlMs),
    };
    await insertResponse(ctx.pool, stored, CHAIN_MAX);
  } catch (err) {
    ctx.logger.error({ err, request_id: call.requestId }, 'response not stored');
    return false;
  }
  ctx.responseLimits.note(caller);
  return true;
}
