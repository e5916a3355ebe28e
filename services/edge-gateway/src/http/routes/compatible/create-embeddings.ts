import { embeddingsBody, embeddingsResponse } from '@tollgate/api/model-requests';
import { estimateEmbeddings } from '@tollgate/catalog';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { MEDIA_TIMEOUT_MS, MediaRequest } from './media-request.js';

const PATH = '/v1/embeddings';

export const createEmbeddings = defineRoute({
  method: 'POST',
  path: PATH,
  tag: 'Compatible endpoints',
  summary: 'Create embeddings of texts or token lists',
  operationId: 'createEmbeddings',
  description: 'For client libraries that use the embeddings protocol of OpenAI.',
  auth: ['secret_key', 'customer'],
  body: embeddingsBody,
  bodyClass: 'generating',
  success: { status: 200, schema: embeddingsResponse },
  refusals: [402],
  errorShape: 'openai',
  idempotent: true,
  holdIds: ownHold,
  timeoutMs: MEDIA_TIMEOUT_MS,
  async handler(input, ctx) {
    const { body, rawBody, call } = input;
    const request = new MediaRequest(ctx, input, PATH);
    const admission = await request.admit(body.model, (model) => estimateEmbeddings(model, body.input));
    const answer = await request.answer(ctx.clients.compat.createEmbeddings({ admission, body: rawBody }, call));
    return { headers: { 'Content-Type': answer.contentType }, body: answer.body };
  },
});
