import { OwnConnections } from '@tollgate/contracts/common/v1/usage_pb.js';
import type { GenerateRequest } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { Call } from '@tollgate/rpc';
import { yieldLoop } from '@tollgate/runtime';
import { LARGE_JSON_BYTES } from '@tollgate/runtime/threads';
import type { FetchedImages } from '../../clients/web/image-fetcher.js';
import type { Context } from '../../context.js';
import type { LinkedImage } from '../../domain/model-request.js';
import { StoredScope } from '../../tools/tool-run.js';
import { releaseHold } from '../held-work/held-work.js';
import type { OwnRouting } from '../held-work/routes.js';
import { parseLargeBody } from '../parse-body.js';
import { useCache } from './cached-turn.js';
import type { Frame } from './frame-queue.js';
import { inlineLinkedImages, listUnreadImages } from './model-call.js';
import { Turn } from './turn.js';
import { planTurn, type TurnContext, type TurnPlan } from './turn-plan.js';

const STORAGE_TIMEOUT_MS = 5_000;

/** Runs one admitted request. Its hold is settled in every case. */
export function generate(ctx: TurnContext, req: GenerateRequest, call: Call): AsyncIterable<Frame> {
  const mayUseOwn = req.ownConnections !== OwnConnections.UNSPECIFIED;
  if (mayUseOwn || req.body.length > LARGE_JSON_BYTES) return generateLater(ctx, req, call);
  let plan: TurnPlan;
  try {
    plan = planTurn(ctx, req, call);
  } catch (error) {
    return refuseStream(ctx, req, call, error);
  }
  return startPlanned(ctx, req, plan);
}

/** Plans a turn after what it waits for: a large body, and the connections of its project. */
async function* generateLater(ctx: TurnContext, req: GenerateRequest, call: Call): AsyncGenerator<Frame> {
  const isLarge = req.body.length > LARGE_JSON_BYTES;
  let plan: TurnPlan;
  try {
    const own = await findOwn(ctx, req, call);
    const parsed = isLarge ? await parseLargeBody(ctx.jsonThread, call, req.body) : undefined;
    plan = planTurn(ctx, req, call, { ...(parsed && { parsed }), ...(own && { own }) });
  } catch (error) {
    return await refuse(ctx, req, call, error);
  }
  if (isLarge) await yieldLoop();
  yield* startPlanned(ctx, req, plan);
}

/** Returns nothing if they cannot be read and the hold covers the routes of the installation, which follow a failure of any kind. */
async function findOwn(ctx: TurnContext, req: GenerateRequest, call: Call): Promise<OwnRouting | undefined> {
  if (req.ownConnections === OwnConnections.UNSPECIFIED) return undefined;
  const isOnly = req.ownConnections === OwnConnections.ONLY;
  try {
    return { connections: await ctx.ownConnections.find(call, req.modelId), isOnly };
  } catch (err) {
    if (isOnly) throw err;
    ctx.logger.warn({ err, request_id: call.requestId }, 'connections of a project not read');
    return undefined;
  }
}

function startPlanned(ctx: TurnContext, req: GenerateRequest, plan: TurnPlan): AsyncIterable<Frame> {
  if (req.usesCache) return startWithCache(ctx, req, plan);
  return hasStorage(plan) ? startWithStorage(ctx, req, plan) : start(ctx, req, plan);
}

function start(ctx: TurnContext, req: GenerateRequest, plan: TurnPlan): AsyncIterable<Frame> {
  const links = listUnreadImages(plan);
  return links.length > 0 ? startWithImages(ctx, req, plan, links) : startTurn(ctx, req, plan);
}

/** Reads the images that the request links to before any provider is asked, and holds them until the turn has ended. */
async function* startWithImages(
  ctx: TurnContext,
  req: GenerateRequest,
  plan: TurnPlan,
  links: readonly LinkedImage[],
): AsyncGenerator<Frame> {
  let images: FetchedImages;
  try {
    images = await inlineLinkedImages(ctx, plan, links);
  } catch (error) {
    return await refuse(ctx, req, plan.call, error);
  }
  try {
    yield* startTurn(ctx, req, plan);
  } finally {
    images.release();
  }
}

function startTurn(ctx: TurnContext, req: GenerateRequest, plan: TurnPlan): AsyncIterable<Frame> {
  const { call } = plan;
  // The caller may have left while its body, its images or the cache were read: no provider is asked for it.
  if (call.isAborted) return refuseStream(ctx, req, call, call.abortReason);
  let turn: Turn;
  try {
    turn = new Turn(ctx, plan);
  } catch (error) {
    return refuseStream(ctx, req, call, error);
  }
  turn.start();
  return turn.frames;
}

async function* startWithCache(ctx: TurnContext, req: GenerateRequest, uncached: TurnPlan): AsyncGenerator<Frame> {
  let plan: TurnPlan;
  try {
    plan = await useCache(ctx, req, uncached);
  } catch (error) {
    return await refuse(ctx, req, uncached.call, error);
  }
  yield* hasStorage(plan) ? startWithStorage(ctx, req, plan) : start(ctx, req, plan);
}

function hasStorage({ storage: { stateId, sessionId } }: TurnPlan): boolean {
  return Boolean(stateId || sessionId);
}

/** Refuses a request whose storage context does not exist before any provider is asked. */
async function* startWithStorage(ctx: TurnContext, req: GenerateRequest, plan: TurnPlan): AsyncGenerator<Frame> {
  try {
    const scope = new StoredScope(ctx.toolState, plan.storage);
    await scope.check(plan.call.with({ timeoutMs: STORAGE_TIMEOUT_MS }));
  } catch (error) {
    return await refuse(ctx, req, plan.call, error);
  }
  yield* start(ctx, req, plan);
}

function refuseStream(
  ctx: Pick<Context, 'ledger'>,
  req: GenerateRequest,
  call: Call,
  refusal: unknown,
): AsyncIterable<Frame> {
  return { [Symbol.asyncIterator]: () => ({ next: () => refuse(ctx, req, call, refusal) }) };
}

/** Releases the hold, then throws the refusal. */
async function refuse(
  ctx: Pick<Context, 'ledger'>,
  req: GenerateRequest,
  call: Call,
  refusal: unknown,
): Promise<never> {
  const { modelId, stream: isStream } = req;
  await releaseHold(ctx, { holdId: req.holdId || call.requestId, modelId, isStream }, call, refusal);
  throw refusal;
}
