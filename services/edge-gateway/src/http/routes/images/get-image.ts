import { storedImage } from '@tollgate/api/model-requests';
import { publicBaseUrl } from '../../exchange/public-base-url.js';
import { defineRoute } from '../../exchange/route.js';
import { storedImageJson } from './image-json.js';
import { imageParams } from './params.js';

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
