import type { GenerateRequest } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { asAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Settlement } from '../clients/settlements.js';
import type { Context } from '../context.js';
import type { Frame } from './frame-queue.js';
import { Turn } from './turn.js';
import { planTurn, type TurnPlan } from './turn-plan.js';

/** How long a refused request waits for its hold to be released before it is told. */
const RELEASE_WAIT_MS = 1_000;

/** Runs one admitted request. Whatever happens, its hold is settled. */
export function generate(ctx: Context, req: GenerateRequest, call: Call): AsyncIterable<Frame> {
  let plan: TurnPlan;
  try {
    plan = planTurn(ctx, req, call);
  } catch (error) {
    return refuse(ctx, req, call, error);
  }
  const turn = new Turn(ctx, plan);
  turn.begin();
  return turn.frames;
}

/** Nothing was asked of any provider: the hold is released, then the caller hears why. */
async function* refuse(ctx: Context, req: GenerateRequest, call: Call, thrown: unknown): AsyncGenerator<Frame> {
  const error = asAppError(thrown);
  const settlement: Settlement = {
    requestId: req.holdId || call.requestId,
    usage: {},
    facts: {
      modelId: req.modelId,
      status: error.status,
      success: false,
      streaming: req.stream,
      errorCode: error.code,
      stopReason: 'error',
    },
  };
  await ctx.settlements.settle(settlement, call, RELEASE_WAIT_MS).catch(() => undefined);
  throw thrown;
}
