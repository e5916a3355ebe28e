import type { Call } from '@tollgate/rpc';
import { bodyDigest } from '../../domain/idempotency.js';
import { takenOver } from '../../operations/begin-idempotent.js';
import type { KeptAnswer } from '../../store/idempotency-records.js';
import { renderError } from '../answer/render-error.js';
import { keptRefusal, ownHold, startIdempotent } from '../exchange/idempotency-key.js';
import { flat, type HotExchange } from './hot-exchange.js';
import type { TurnRequest } from './hot-route.js';
import { runTurn } from './run-turn.js';
import type { AnswerCopy } from './write-plain.js';

/**
 * Runs a turn under an `Idempotency-Key`: a repeat gets the first one's answer, byte for byte, a streamed one too. The
 * first attempt continues when its client leaves, because the client is expected to repeat the request.
 */
export async function runTurnOnce(
  exchange: HotExchange,
  key: string,
  body: unknown,
  turn: TurnRequest,
  rawBody: Uint8Array,
  call: Call,
): Promise<void> {
  const { route, ids, audience } = exchange;
  const path = `POST ${route.path}`;
  const digest = bodyDigest(rawBody, () => body);
  const request = { principal: call.requirePrincipal(), path, key, digest, ids, holdIds: ownHold };
  const start = await startIdempotent(exchange.ctx, request, call);
  if (start.kind === 'replay') {
    const { status, headers, body: kept } = start.answer;
    return exchange.write(status, [...flat(headers), 'Idempotent-Replayed', 'true'], kept);
  }
  const copy: AnswerCopy = { status: 0, headers: {}, chunks: [], isComplete: false };
  try {
    await runTurn(exchange, turn, rawBody, call, copy);
  } catch (error) {
    await start.end(
      keptRefusal(error, (refusal) => renderError(refusal, route.errorShape, ids.requestId, { audience })),
    );
    throw error;
  }
  const answer = copy.isComplete ? answerOf(copy) : undefined;
  const isOurs = await start.end(answer);
  if (turn.format !== undefined || !answer) return;
  if (!isOurs) throw takenOver();
  exchange.write(answer.status, flat(answer.headers), answer.body);
}

function answerOf({ status, headers, chunks }: AnswerCopy): KeptAnswer {
  return { status, headers, body: Buffer.concat(chunks) };
}
