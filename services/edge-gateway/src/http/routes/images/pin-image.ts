import { storedImage } from '@tollgate/api/model-requests';
import type { Context } from '../../../context.js';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute, type RouteInput } from '../../exchange/route.js';
import { storedImageJson } from './image-json.js';
import { imageParams } from './params.js';

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
