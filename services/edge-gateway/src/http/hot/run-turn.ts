import type { GenerateResponse } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { Call } from '@tollgate/rpc';
import { admitTurn } from './admit-turn.js';
import type { HotExchange } from './hot-exchange.js';
import type { TurnRequest } from './hot-route.js';
import { releaseHold } from './release-hold.js';
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
  const { ctx, route, ids } = exchange;
  const { admission, inputTokensEstimate } = await admitTurn(exchange, turn, call);
  if (call.isAborted) return releaseHold(exchange, call);
  const frames = ctx.clients.inference
    .generate(
      {
        dialect: route.dialect,
        body: rawBody,
        stream: turn.format !== undefined,
        modelId: admission.modelId,
        maxOutputTokens: admission.maxOutputTokens,
        inputTokensEstimate: BigInt(inputTokensEstimate),
        holdTtlMs: admission.holdTtlMs,
        holdId: ids.billing,
      },
      call,
    )
    [Symbol.asyncIterator]();
  const first = await frames.next();
  if (turn.format === undefined) writePlain(exchange, first, frames, copy);
  else await writeStream(exchange, turn.format, first, frames, copy);
}

export type Frames = AsyncIterator<GenerateResponse>;
