import { isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { KeptAnswer } from '../../store/idempotency-records.js';
import { startIdempotent } from '../idempotency-key.js';
import { renderError } from '../render-error.js';
import { flat, type HotExchange } from './hot-exchange.js';
import type { TurnRequest } from './hot-route.js';
import { runTurn } from './run-turn.js';
import type { AnswerCopy } from './write-plain.js';

/**
 * A turn under an `Idempotency-Key`: a repeat gets the first one's answer, byte for byte, a streamed one too. The first
 * attempt goes on when its client leaves, because the client is expected to come back for it.
 */
export async function runTurnOnce(
  exchange: HotExchange,
  key: string,
  body: unknown,
  turn: TurnRequest,
  rawBody: Uint8Array,
  call: Call,
): Promise<void> {
  const path = `POST ${exchange.route.path}`;
  const request = { principal: call.requirePrincipal(), path, key, body, ids: exchange.ids };
  const start = await startIdempotent(exchange.ctx, request, call);
  if (start.kind === 'replay') {
    const { status, headers, body: kept } = start.answer;
    return exchange.write(status, [...flat(headers), 'Idempotent-Replayed', 'true'], kept);
  }
  const copy: AnswerCopy = { status: 0, headers: {}, chunks: [], isComplete: false };
  try {
    await runTurn(exchange, turn, rawBody, call, copy);
  } catch (error) {
    const refusal = refusalOf(exchange, error);
    if (refusal) await start.finish(refusal);
    else await start.abandon();
    throw error;
  }
  if (!copy.isComplete) return start.abandon();
  const answer: KeptAnswer = { status: copy.status, headers: copy.headers, body: Buffer.concat(copy.chunks) };
  await start.finish(answer);
  if (turn.format === undefined) exchange.write(answer.status, flat(answer.headers), answer.body);
}

/** A refusal of the contract is an answer too; which ones are kept is decided by their status. */
function refusalOf({ route, ids, audience }: HotExchange, error: unknown): KeptAnswer | undefined {
  if (!isAppError(error)) return undefined;
  const { status, headers, body } = renderError(error, route.errorShape, ids.public, { audience });
  return { status, headers, body: Buffer.from(body) };
}
