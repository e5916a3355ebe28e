import { completionMaxTokens, completionSchema, completionsBody, inputOfCompletion } from '@tollgate/api/compatible';
import { openAiErrorSchema } from '@tollgate/api/values';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { unknownModel } from '@tollgate/spending';
import { z } from 'zod';
import { renderError } from '../answer/render-error.js';
import { defineTurn } from './run-turn.js';

/** `POST /v1/completions`: for tools that complete a text instead of answering a chat. */
export const createCompletion = defineTurn({
  path: '/v1/completions',
  tag: 'Compatible endpoints',
  summary: "Complete a text in OpenAI's older dialect",
  operationId: 'createCompletion',
  description:
    'For client libraries that use the completions protocol of OpenAI. The prompt is sent as the only message of a chat. As at the vendor, an answer has at most 16 tokens unless `max_tokens` is set. With `stream`, the answer is a stream of server-sent events that ends with `[DONE]`.',
  success: { status: 200, schema: completionSchema },
  alsoAnswers: [
    { status: 200, schema: z.union([completionSchema, openAiErrorSchema]), contentType: 'text/event-stream' },
  ],
  dialect: Dialect.OPENAI_COMPLETIONS,
  hasOptionalParameters: true,
  errorShape: 'openai',
  body: completionsBody,
  read(body) {
    return {
      model: body.model,
      provider: undefined,
      maxOutputTokens: completionMaxTokens(body),
      input: inputOfCompletion(body),
      format: body.stream === true ? 'sse' : undefined,
    };
  },
  errorEvent: (error, requestId) => renderError(error, 'openai', requestId).body,
  unknownModel,
});
