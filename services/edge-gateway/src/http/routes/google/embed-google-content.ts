import { googleEmbedBody, googleEmbedResponse } from '@tollgate/api/compatible';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { MEDIA_TIMEOUT_MS } from '../compatible/media-request.js';
import { embedTexts } from './embed-texts.js';
import { googleModelParams } from './params.js';

const PATH = '/v1beta/models/:model:embedContent';

export const embedGoogleContent = defineRoute({
  method: 'POST',
  path: PATH,
  tag: 'Compatible endpoints',
  summary: "Create the embedding of a text in Google's format",
  operationId: 'embedGoogleContent',
  description:
    'For client libraries that use the embeddings of the Gemini API, with any embedding model of the catalog.',
  auth: ['secret_key', 'customer'],
  vendorKeyHeader: 'x-goog-api-key',
  params: googleModelParams,
  body: googleEmbedBody,
  bodyClass: 'generating',
  success: { status: 200, schema: googleEmbedResponse },
  refusals: [402],
  errorShape: 'google',
  idempotent: true,
  holdIds: ownHold,
  timeoutMs: MEDIA_TIMEOUT_MS,
  async handler(input, ctx) {
    const { embeddings, usageMetadata, headers } = await embedTexts(ctx, input, PATH, [input.body]);
    return { body: { embedding: embeddings[0], usageMetadata }, headers };
  },
});
