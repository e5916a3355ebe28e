import { DEFAULT_MODERATION_MODEL, moderationsBody, moderationsResponse } from '@tollgate/api/model-requests';
import { estimateModeration } from '@tollgate/catalog';
import { ownHold } from '../../exchange/idempotency-key.js';
import { defineRoute } from '../../exchange/route.js';
import { MEDIA_TIMEOUT_MS, MediaRequest } from './media-request.js';

const PATH = '/v1/moderations';

export const createModeration = defineRoute({
  method: 'POST',
  path: PATH,
  tag: 'Compatible endpoints',
  summary: 'Classify texts and images by harmful content',
  operationId: 'createModeration',
  description: `For client libraries that use the moderations protocol of OpenAI. Without \`model\`, \`${DEFAULT_MODERATION_MODEL}\` is asked.`,
  auth: ['secret_key', 'customer'],
  body: moderationsBody,
  bodyClass: 'generating',
  success: { status: 200, schema: moderationsResponse },
  refusals: [402],
  errorShape: 'openai',
  idempotent: true,
  holdIds: ownHold,
  timeoutMs: MEDIA_TIMEOUT_MS,
  async handler(input, ctx) {
    const { body, rawBody, call } = input;
    const request = new MediaRequest(ctx, input, PATH);
    const model = body.model ?? DEFAULT_MODERATION_MODEL;
    const admission = await request.admit(model, (known) => estimateModeration(known, body.input));
    const answer = await request.answer(ctx.clients.compat.createModeration({ admission, body: rawBody }, call));
    return { headers: { 'Content-Type': answer.contentType }, body: answer.body };
  },
});
