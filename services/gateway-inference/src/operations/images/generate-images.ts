import { randomBytes, randomUUID } from 'node:crypto';
import type { ProviderId } from '@tollgate/api';
import type { CatalogModel } from '@tollgate/catalog';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError, asAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import { isWorthAnotherRoute, ProviderFailure, turnError } from '../../domain/provider-failure.js';
import type { GeneratedImage, ImageAnswer, ImageCall, ImageProvider } from '../../providers/contract/image-provider.js';
import { insertImages } from '../../store/images.js';
import { HeldWork } from '../held-work/held-work.js';

export interface ImageWish {
  /** Under which the request was admitted and is settled. */
  holdId: string;
  modelId: string;
  prompt: string;
  count: number;
  size?: string | undefined;
  /** False: bytes only. */
  isStored: boolean;
}

export interface MadeImage {
  id: string;
  mimeType: string;
  bytes: Uint8Array;
  /** Empty when it was not stored. */
  fileToken: string;
}

const FILE_TOKEN_BYTES = 24;

/** Generates, stores where asked, and settles before it answers. An image that cannot be stored was still made, and is charged. */
export async function generateImages(ctx: Context, wish: ImageWish, call: Call): Promise<MadeImage[]> {
  const startedAt = ctx.clock.nowMs();
  const work = new HeldWork(ctx, wish.holdId, call);
  const failures: ProviderFailure[] = [];
  let answer: ImageAnswer | undefined;
  let provider = '';
  let isAsked = false;
  try {
    for (const route of routesOf(ctx, wish)) {
      isAsked = !work.call.isAborted;
      if (!isAsked) throw asAppError(work.call.signal.reason);
      provider = route.provider.id;
      answer = await attempt(ctx, route, wish, work.call, failures);
      if (answer) break;
    }
    if (!answer) throw turnError(failures, call.requestId);
  } catch (thrown) {
    const error = asAppError(thrown);
    const facts = { status: error.status, success: false, errorCode: error.code, stopReason: 'error' };
    // Cut off by us, the provider may have made them all the same.
    const isInDoubt = work.call.isAborted && isAsked;
    await settle(ctx, wish, call, { images: 0, provider, startedAt, facts, isInDoubt }).catch(() => {});
    throw error;
  } finally {
    work.done();
  }
  const images = answer.images.slice(0, wish.count);
  const facts = { status: 200, success: true, errorCode: '', stopReason: 'stop' };
  await settle(ctx, wish, call, { images: images.length, provider, startedAt, facts });
  return wish.isStored ? store(ctx, wish, images, call.requirePrincipal()) : images.map(unstored);
}

interface ImageRoute {
  provider: ImageProvider;
  upstreamModel: string;
}

/** @throws AppError for what no provider is asked */
function routesOf(ctx: Context, { modelId, isStored }: ImageWish): ImageRoute[] {
  if (isStored && !ctx.imageStorage) {
    throw new AppError(
      'INVALID_INPUT',
      'response_format url requires image storage, which is not configured; use b64_json',
    );
  }
  const model: CatalogModel | undefined = ctx.catalog.find(modelId);
  if (!model?.capabilities.includes('image_generation')) {
    throw new AppError('INVALID_INPUT', `${modelId} does not generate images`);
  }
  const routes = model.routes.flatMap(({ provider: id, upstream_model: upstreamModel }) => {
    const provider = ctx.imageProviders.get(id as ProviderId);
    return provider ? [{ provider, upstreamModel }] : [];
  });
  if (routes.length > 0) return routes;
  throw new AppError('SERVICE_UNAVAILABLE', `no provider of ${modelId} is configured`, {
    layer: 'routing',
    retryable: false,
  });
}

/** Undefined when another route may do better. */
async function attempt(
  { logger }: Context,
  { provider, upstreamModel }: ImageRoute,
  wish: ImageWish,
  call: Call,
  failures: ProviderFailure[],
): Promise<ImageAnswer | undefined> {
  const { holdId, prompt, count: n, size } = wish;
  const accountId = call.principal?.accountId ?? '';
  const asked: ImageCall = {
    requestId: call.requestId,
    accountId,
    holdId,
    upstreamModel,
    prompt,
    n,
    size,
    signal: call.signal,
  };
  try {
    return await provider.generateImages(asked);
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    failures.push(error);
    const { kind, status, cause } = error;
    logger.warn(
      { err: cause, provider: provider.id, kind, status, request_id: call.requestId },
      'a provider call failed',
    );
    if (call.isAborted) throw asAppError(call.signal.reason);
    if (!isWorthAnotherRoute(error)) throw turnError(failures, call.requestId);
    return undefined;
  }
}

interface ImageEnding {
  images: number;
  provider: string;
  startedAt: number;
  facts: { status: number; success: boolean; errorCode: string; stopReason: string };
  isInDoubt?: boolean;
}

async function settle(ctx: Context, wish: ImageWish, call: Call, ending: ImageEnding): Promise<void> {
  const { images, provider, startedAt, facts, isInDoubt = false } = ending;
  const settlement = {
    holdId: wish.holdId,
    usage: { images },
    isInDoubt,
    facts: {
      ...facts,
      modelId: wish.modelId,
      provider,
      executionOrigin: 'provider',
      durationMs: BigInt(Math.max(0, ctx.clock.nowMs() - startedAt)),
    },
  };
  await ctx.settlements.settle(settlement, call, ctx.config.settleWaitMs);
}

/** Files first: a row without its file would be a dead url, a file without its row is only waste. */
async function store(
  ctx: Context,
  { modelId }: ImageWish,
  images: readonly GeneratedImage[],
  principal: Principal,
): Promise<MadeImage[]> {
  const storage = ctx.imageStorage!;
  const made = images.map((image) => ({
    ...image,
    id: randomUUID(),
    fileToken: randomBytes(FILE_TOKEN_BYTES).toString('base64url'),
  }));
  await Promise.all(made.map(({ id, bytes, mimeType }) => storage.put(id, bytes, mimeType)));
  const createdAt = ctx.clock.now();
  const rows = made.map(({ id, mimeType, fileToken }) => ({
    id,
    projectId: principal.projectId,
    customerId: principal.customerId || null,
    modelId,
    mimeType,
    fileToken,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + ctx.config.imageTtlMs),
  }));
  await insertImages(ctx.db, rows);
  return made;
}

function unstored({ bytes, mimeType }: GeneratedImage): MadeImage {
  return { id: randomUUID(), mimeType, bytes, fileToken: '' };
}
