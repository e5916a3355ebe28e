import type { GenerateRequest } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { asAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Settlement } from '../../clients/settlements.js';
import type { Context } from '../../context.js';
import { StoredScope } from '../../tools/state-scope.js';
import { useCache } from './cached-turn.js';
import type { Frame } from './frame-queue.js';
import { Turn } from './turn.js';
import { planTurn, type TurnPlan } from './turn-plan.js';

/** How long a refused request waits for its hold to be released before it is told. */
const RELEASE_WAIT_MS = 1_000;
const STORAGE_TIMEOUT_MS = 5_000;

/** Runs one admitted request. Whatever happens, its hold is settled. */
export function generate(ctx: Context, req: GenerateRequest, call: Call): AsyncIterable<Frame> {
  let plan: TurnPlan;
  try {
    plan = planTurn(ctx, req, call);
  } catch (error) {
    return refuse(ctx, req, call, error);
  }
  const { stateId, sessionId } = plan.storage;
  if (req.usesCache) return beginWithCache(ctx, req, plan);
  if (!stateId && !sessionId) return begin(ctx, plan);
  return beginWithStorage(ctx, req, plan);
}

function begin(ctx: Context, plan: TurnPlan): AsyncIterable<Frame> {
  const turn = new Turn(ctx, plan);
  turn.begin();
  return turn.frames;
}

async function* beginWithCache(ctx: Context, req: GenerateRequest, plan: TurnPlan): AsyncGenerator<Frame> {
  try {
    await useCache(ctx, req, plan);
  } catch (error) {
    return yield* refuse(ctx, req, plan.call, error);
  }
  const { stateId, sessionId } = plan.storage;
  yield* stateId || sessionId ? beginWithStorage(ctx, req, plan) : begin(ctx, plan);
}

/** No provider is asked for a request whose storage context is not there. */
async function* beginWithStorage(ctx: Context, req: GenerateRequest, plan: TurnPlan): AsyncGenerator<Frame> {
  try {
    const scope = new StoredScope(ctx.toolState, plan.storage);
    await scope.check(plan.call.with({ timeoutMs: STORAGE_TIMEOUT_MS }));
  } catch (error) {
    return yield* refuse(ctx, req, plan.call, error);
  }
  yield* begin(ctx, plan);
}

/** Nothing was asked of any provider: the hold is released, then the caller hears why. */
async function* refuse(ctx: Context, req: GenerateRequest, call: Call, thrown: unknown): AsyncGenerator<Frame> {
  const error = asAppError(thrown);
  const settlement: Settlement = {
    holdId: req.holdId || call.requestId,
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
