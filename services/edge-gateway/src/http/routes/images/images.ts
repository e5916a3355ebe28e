import { timestampDate, timestampMs } from '@bufbuild/protobuf/wkt';
import {
  type ImageGenerationResult,
  imageFileQuery,
  imageGenerateBody,
  imageGenerationResult,
  type StoredImageRecord,
  storedImage,
} from '@tollgate/api/model-requests';
import type { StoredImage } from '@tollgate/contracts/inference/v1/images_pb.js';
import { type AppError, invariant } from '@tollgate/errors';
import { z } from 'zod';
import type { Context } from '../../../context.js';
import { ownHold } from '../../exchange/idempotency-key.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute, type RouteInput } from '../../exchange/route.js';
import { IMAGES_TIMEOUT_MS, invalidImages, type RequestedImages, requestImages } from './request-images.js';

/** Accepts any text: inference also answers 404 for a malformed id. */
const imageParams = z.object({ id: z.string().max(64).toLowerCase() });

export const getImage = defineRoute({
  method: 'GET',
  path: '/images/:id',
  tag: 'Images',
  summary: 'Get the URL of a stored image and when it expires',
  operationId: 'getImage',
  description: 'The URL contains a token and works without a credential until it expires.',
  auth: ['secret_key', 'customer'],
  params: imageParams,
  success: { status: 200, schema: storedImage },
  refusals: [410],
  handler: async ({ params, call, headers }, ctx) => {
    const { image } = await ctx.clients.images.getImage({ id: params.id }, call);
    return { body: storedImageJson(publicBaseUrl(ctx, headers), image) };
  },
});

const CACHED_SECONDS_MAX = 86_400;

export const getImageFile = defineRoute({
  method: 'GET',
  path: '/images/:id/file',
  tag: 'Images',
  summary: 'Get the file behind an image URL; the token in the URL is the only credential',
  operationId: 'getImageFile',
  description: 'Answers with the bytes of the image.',
  auth: 'none',
  params: imageParams,
  query: imageFileQuery,
  success: { status: 200, schema: z.string(), contentType: 'image/*' },
  refusals: [410],
  handler: async ({ params, query, call }, ctx) => {
    const request = { id: params.id, fileToken: query.token };
    const { bytes, mimeType, expiresAt } = await ctx.clients.images.readImageFile(request, call);
    const left = expiresAt ? Math.floor((timestampMs(expiresAt) - ctx.clock.nowMs()) / 1000) : CACHED_SECONDS_MAX;
    return {
      body: bytes,
      headers: {
        'Content-Type': mimeType,
        'Cache-Control': `private, max-age=${Math.max(0, Math.min(left, CACHED_SECONDS_MAX))}`,
        // Content from a model must be displayed as an image only.
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
    };
  },
});

const PATH = '/images/generate';

export const generateImage = defineRoute({
  method: 'POST',
  path: PATH,
  tag: 'Images',
  summary: 'Generate images; billed per image',
  operationId: 'generateImage',
  description: 'Answers with the image data, or with URLs of stored images that expire.',
  auth: ['secret_key', 'customer'],
  body: imageGenerateBody,
  bodyClass: 'generating',
  success: { status: 200, schema: imageGenerationResult },
  refusals: [402],
  errorShape: 'images',
  idempotent: true,
  holdIds: ownHold,
  timeoutMs: IMAGES_TIMEOUT_MS,
  async handler(input, ctx) {
    const { model, prompt, n, response_format: format, size = '' } = input.body;
    const route = { path: PATH, unknownModel };
    const request = { route, model, prompt, images: n, size, wantsUrls: format === 'url' };
    const { answer, baseUrl } = await requestImages(ctx, input, request);
    return { body: resultJson(answer, baseUrl) };
  },
});

function resultJson({ model, data }: RequestedImages['answer'], baseUrl: string | undefined): ImageGenerationResult {
  const entries = data.map((image) => ({
    id: image.id,
    ...(baseUrl === undefined
      ? { b64_json: Buffer.from(image.bytes).toString('base64') }
      : { url: imageUrl(baseUrl, image) }),
    mime_type: image.mimeType,
  }));
  return { id: entries[0]!.id, model, data: entries, usage: { images: entries.length } };
}

function unknownModel(model: string): AppError {
  return invalidImages('model', `unknown model: ${model}`);
}

export const pinImage = defineRoute({
  method: 'POST',
  path: '/images/:id/pin',
  tag: 'Images',
  summary: 'Keep an image beyond its expiry',
  operationId: 'pinImage',
  description: 'A pinned image does not expire.',
  auth: ['secret_key', 'customer'],
  params: imageParams,
  success: { status: 200, schema: storedImage },
  refusals: [410],
  handler: (input, ctx) => setPinned(input, ctx, true),
});

export const unpinImage = defineRoute({
  method: 'DELETE',
  path: '/images/:id/pin',
  tag: 'Images',
  summary: 'Unpin an image; it expires after its full lifetime from now',
  operationId: 'unpinImage',
  description: 'The image is deleted when its lifetime has passed again.',
  auth: ['secret_key', 'customer'],
  params: imageParams,
  success: { status: 200, schema: storedImage },
  refusals: [410],
  handler: (input, ctx) => setPinned(input, ctx, false),
});

async function setPinned(
  { params, call, headers }: Pick<RouteInput<{ id: string }, unknown, unknown>, 'params' | 'call' | 'headers'>,
  ctx: Pick<Context, 'clients' | 'config'>,
  pinned: boolean,
) {
  const { image } = await ctx.clients.images.pinImage({ id: params.id, pinned }, call);
  return { body: storedImageJson(publicBaseUrl(ctx, headers), image) };
}

/** Grants read access to the file until it expires. */
export function imageUrl(baseUrl: string, { id, fileToken }: Pick<StoredImage, 'id' | 'fileToken'>): string {
  return `${baseUrl}/api/v1/images/${id}/file?token=${fileToken}`;
}

function storedImageJson(baseUrl: string, image: StoredImage | undefined): StoredImageRecord {
  invariant(image, 'inference answered without the image');
  const { id, pinned, expiresAt } = image;
  const url = imageUrl(baseUrl, image);
  return { id, pinned, url, ...(expiresAt && { expires_at: timestampDate(expiresAt).toISOString() }) };
}
