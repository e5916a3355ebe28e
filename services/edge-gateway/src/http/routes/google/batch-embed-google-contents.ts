import { googleBatchEmbedBody, googleBatchEmbedResponse } from '@tollgate/api/compatible';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { MEDIA_TIMEOUT_MS } from '../compatible/media-request.js';
import { embedTexts } from './embed-texts.js';
import { googleModelParams } from './params.js';

const PATH = '/v1beta/models/:model:batchEmbedContents';

export const batchEmbedGoogleContents = defineRoute({
  method: 'POST',
  path: PATH,
  tag: 'Compatible endpoints',
  summary: "Create embeddings of texts in Google's format",
  operationId: 'batchEmbedGoogleContents',
  description:
    'For client libraries that use the embeddings of the Gemini API, with any embedding model of the catalog.',
  auth: ['secret_key', 'customer'],
  vendorKeyHeader: 'x-goog-api-key',
  params: googleModelParams,
  body: googleBatchEmbedBody,
  bodyClass: 'generating',
  success: { status: 200, schema: googleBatchEmbedResponse },
  refusals: [402],
  errorShape: 'google',
  idempotent: true,
  holdIds: ownHold,
  timeoutMs: MEDIA_TIMEOUT_MS,
  async handler(input, ctx) {
    const { headers, ...body } = await embedTexts(ctx, input, PATH, input.body.requests);
    return { body, headers };
  },
});
