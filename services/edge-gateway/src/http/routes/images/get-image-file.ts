import { timestampMs } from '@bufbuild/protobuf/wkt';
import { imageFileQuery } from '@tollgate/api/model-requests';
import { z } from 'zod';
import { defineRoute } from '../../exchange/route.js';
import { imageParams } from './params.js';

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
