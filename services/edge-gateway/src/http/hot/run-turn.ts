import type { GenerateResponse } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { Call } from '@tollgate/rpc';
import { admitTurn } from './admit-turn.js';
import type { HotExchange } from './hot-exchange.js';
import type { TurnRequest } from './hot-route.js';
import { type AnswerCopy, writePlain } from './write-plain.js';
import { writeStream } from './write-stream.js';

const RELEASE_TIMEOUT_MS = 10_000;

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

/** The client left before anything was dispatched: nobody else knows of the hold yet. */
async function releaseHold({ ctx, ids, route }: HotExchange, call: Call): Promise<void> {
  const facts = { status: 499, success: false, errorCode: 'CANCELED', stopReason: 'canceled' };
  try {
    await ctx.clients.billing.settle({ requestId: ids.billing, usage: {}, facts }, call.detached(RELEASE_TIMEOUT_MS));
  } catch (err) {
    ctx.logger.warn({ err, request_id: ids.public, path: route.path }, 'a hold is left to its expiry');
  }
}
