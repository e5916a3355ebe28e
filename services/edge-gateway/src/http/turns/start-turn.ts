import type { Dialect, GenerateResponse } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { Call } from '@tollgate/rpc';
import { ADMISSION_TIMEOUT_MS, type Admitted, release, underHold } from '@tollgate/spending';
import type { Context } from '../../context.js';
import { admitTurn } from './admit-turn.js';
import type { Spender, SpendingContext } from './spender.js';
import type { TurnRequest } from './turn-request.js';

/** The parts of the context that the admission and dispatch of a turn use. */
export type TurnContext = SpendingContext & Pick<Context, 'clients' | 'turnGate'>;

/** A spender that may start a turn. */
export interface TurnSpender extends Spender {
  ctx: TurnContext;
}

export type Frames = AsyncIterator<GenerateResponse>;

/** A turn whose first frame has come. */
export interface StartedTurn {
  first: IteratorResult<GenerateResponse>;
  frames: Frames;
  /** The model that was admitted. */
  modelId: string;
}

/**
 * Admits a turn and dispatches it. Undefined when its caller left in between.
 *
 * @throws AppError for a refusal, or a failure before the first frame
 */
export async function startTurn(
  spender: TurnSpender,
  dialect: Dialect,
  turn: TurnRequest,
  rawBody: Uint8Array,
  call: Call,
): Promise<StartedTurn | undefined> {
  const { ctx, ids, record } = spender;
  const { admission, inputTokens } = await admitInTurn(spender, turn, call);
  if (call.isAborted) {
    await release(ctx.ledger, ids, 'CANCELED', call);
    return undefined;
  }
  record.dispatched();
  const frames = ctx.clients.inference
    .generate(
      {
        dialect,
        body: rawBody,
        stream: turn.format !== undefined,
        modelId: admission.modelId,
        maxOutputTokens: admission.maxOutputTokens,
        inputTokensEstimate: BigInt(inputTokens),
        holdTtlMs: admission.holdTtlMs,
        holdId: ids.holdId,
        ownConnections: admission.ownConnections,
        admissionMs: record.decidedMs,
        betas: turn.betas ?? [],
        modelName: turn.modelName ?? '',
        ...(turn.storage && { storage: turn.storage }),
        usesCache: turn.usesCache ?? call.principal?.responseCache ?? false,
      },
      call,
    )
    [Symbol.asyncIterator]();
  return { first: await underHold(ctx.ledger, ids, call, frames.next()), frames, modelId: admission.modelId };
}

/** Holds funds for the turn when it is its account's turn. @throws AppError for a refusal, as its reader may see it */
export function admitInTurn(spender: TurnSpender, turn: TurnRequest, call: Call): Promise<Admitted> {
  const { ctx, ids, record } = spender;
  const { accountId } = call.requirePrincipal();
  // Until its admission is asked for, a turn has certainly spent nothing.
  ids.isUndispatched = true;
  // One limit for the wait at the gate and the ledger's decision: both are long while the ledger's database hangs.
  const limited = call.with({ timeoutMs: ADMISSION_TIMEOUT_MS });
  const admit = () => admitTurn(spender, turn, limited);
  return record.admitting(() => ctx.turnGate.run(accountId, limited, admit));
}
