import { randomBytes, randomUUID } from 'node:crypto';
import type { CatalogModel } from '@tollgate/catalog';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../context.js';
import type { GeneratedImage, ImageCall, ImageProvider, ImageTokens } from '../../providers/contract/image-provider.js';
import { insertImages } from '../../store/images.js';
import { AwaitedWork } from '../held-work/awaited-work.js';
import type { HeldPlan } from '../held-work/held-plan.js';
import { type HeldWorkContext, releaseHold } from '../held-work/held-work.js';
import { type ConnectedRoute, findConnectedRoutes } from '../held-work/routes.js';

/** The parts of the context that the generation of images uses. */
export type ImageContext = HeldWorkContext &
  Pick<Context, 'catalog' | 'connections' | 'imageStorage' | 'ledger' | 'pool'>;

export interface ImageInput {
  holdId: string;
  modelId: string;
  prompt: string;
  count: number;
  size?: string | undefined;
  /** False: the images are returned as bytes only. */
  isStored: boolean;
  /** Images to start from; absent: none. */
  edited?: ImageCall['edited'];
}

export interface MadeImage {
  id: string;
  mimeType: string;
  bytes: Uint8Array;
  /** Empty when it was not stored. */
  fileToken: string;
}

export interface MadeImages {
  images: MadeImage[];
  /** The provider's own count; undefined if it reports none. */
  tokens: ImageTokens | undefined;
}

const FILE_TOKEN_BYTES = 24;

/** Generates images, settles them, then stores them if requested. An image is charged even if it cannot be stored. */
export async function generateImages(ctx: ImageContext, input: ImageInput, call: Call): Promise<MadeImages> {
  const work = new AwaitedWork(ctx, await planOrRelease(ctx, input, call));
  const answer = await work.ask(({ provider, upstreamModel }) =>
    provider.generateImages(toImageCall(input, upstreamModel, work.call)),
  );
  const images = answer.images.slice(0, input.count);
  await work.settle({ images: images.length });
  const made = input.isStored ? await store(ctx, input, images, call.requirePrincipal()) : images.map(unstored);
  return { images: made, tokens: answer.tokens };
}

function toImageCall(
  { holdId, prompt, count: n, size, edited }: ImageInput,
  upstreamModel: string,
  call: Call,
): ImageCall {
  const { requestId, principal, signal } = call;
  const accountId = principal?.accountId ?? '';
  return { requestId, accountId, holdId, upstreamModel, prompt, n, size, edited, signal };
}

type ImageRoute = ConnectedRoute<ImageProvider>;

/** @throws AppError for a request that is refused before any provider is asked; the hold is released then */
async function planOrRelease(ctx: ImageContext, input: ImageInput, call: Call): Promise<HeldPlan<ImageRoute>> {
  const { holdId, modelId } = input;
  const startedAt = ctx.clock.elapsed();
  try {
    const routes = findRoutes(ctx, input);
    const common = { delivery: 'whole', executionOrigin: 'provider' } as const;
    const operation = 'image_generation' as const;
    return { call, holdId, modelId, operation, routes, startedAt, ...common };
  } catch (refusal) {
    await releaseHold(ctx, { holdId, modelId, isStream: false }, call, refusal);
    throw refusal;
  }
}

function findRoutes(
  ctx: Pick<Context, 'catalog' | 'connections' | 'imageStorage'>,
  { modelId, isStored }: ImageInput,
): ImageRoute[] {
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
  return findConnectedRoutes(ctx.connections, model, 'images');
}

/** Stores the files first: a row without its file would be a dead URL, a file without its row only wastes space. */
async function store(
  ctx: Pick<Context, 'clock' | 'config' | 'imageStorage' | 'pool'>,
  { modelId }: ImageInput,
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
  await insertImages(ctx.pool, rows);
  return made;
}

function unstored({ bytes, mimeType }: GeneratedImage): MadeImage {
  return { id: randomUUID(), mimeType, bytes, fileToken: '' };
}
