import {
  chatCompletionEventSchema,
  chatCompletionSchema,
  chatCompletionsBody,
  chatMaxOutputTokens,
} from '@tollgate/api/compatible';
import { inputOfChat } from '@tollgate/api/model-requests';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { unknownModel } from '@tollgate/spending';
import { renderError } from '../answer/render-error.js';
import { defineTurn } from './run-turn.js';

/** `POST /v1/chat/completions`: for client libraries that speak OpenAI's chat-completions dialect. */
export const createChatCompletion = defineTurn({
  path: '/v1/chat/completions',
  tag: 'Compatible endpoints',
  summary: "Ask a model in OpenAI's chat-completions dialect",
  operationId: 'createChatCompletion',
  description:
    'For client libraries that use the chat-completions protocol of OpenAI: set their base URL to this server. With `stream`, the answer is a stream of server-sent events that ends with `[DONE]`. Fields that the model’s provider does not support are refused by name.',
  success: { status: 200, schema: chatCompletionSchema },
  alsoAnswers: [{ status: 200, schema: chatCompletionEventSchema, contentType: 'text/event-stream' }],
  dialect: Dialect.OPENAI_CHAT,
  hasOptionalParameters: true,
  errorShape: 'openai',
  body: chatCompletionsBody,
  read(body) {
    return {
      model: body.model,
      provider: undefined,
      maxOutputTokens: chatMaxOutputTokens(body),
      ...((body.n ?? 1) > 1 && { answers: body.n! }),
      input: inputOfChat(body),
      format: body.stream === true ? 'sse' : undefined,
    };
  },
  errorEvent: (error, requestId) => renderError(error, 'openai', requestId).body,
  unknownModel,
});
