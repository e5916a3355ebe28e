import type { Call } from '@tollgate/rpc';
import type { HotExchange } from './hot-exchange.js';
import type { TurnRequest } from './hot-route.js';
import { startTurn } from './start-turn.js';
import { type AnswerCopy, writePlain } from './write-plain.js';
import { writeStream } from './write-stream.js';

/**
 * Admits, dispatches and answers. Nothing has been written when it throws. `copy`, where given, receives the answer for
 * repeats of the request, and then the turn goes on to its end even when the client leaves.
 */
export async function runTurn(
  exchange: HotExchange,
  turn: TurnRequest,
  rawBody: Uint8Array,
  call: Call,
  copy?: AnswerCopy,
): Promise<void> {
  const started = await startTurn(exchange, exchange.route.dialect, turn, rawBody, call);
  if (!started) return;
  if (turn.format === undefined) writePlain(exchange, started.first, started.frames, copy);
  else await writeStream(exchange, turn.format, started.first, started.frames, copy);
}
