import {
  type ChatCompletionsBody,
  chatCompletionSchema,
  chatCompletionsBody,
  chatMaxOutputTokens,
  inputOfChat,
} from '@tollgate/api';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { renderError } from '../render-error.js';
import type { HotRoute } from './hot-route.js';
import { unknownCompatibleModel } from './spender.js';

/** `POST /v1/chat/completions`: for client libraries of OpenAI's dialect. */
export const createChatCompletion: HotRoute = {
  path: '/v1/chat/completions',
  dialect: Dialect.OPENAI_CHAT,
  errorShape: 'openai',
  body: chatCompletionsBody,
  read(value) {
    const body = value as ChatCompletionsBody;
    return {
      model: body.model,
      provider: undefined,
      maxOutputTokens: chatMaxOutputTokens(body),
      input: inputOfChat(body),
      format: body.stream === true ? 'sse' : undefined,
    };
  },
  requestIdHeaders: ['x-request-id', 'request-id'],
  keepaliveEvent: undefined,
  errorEvent: (error, requestId) => renderError(error, 'openai', requestId).body,
  unknownModel: unknownCompatibleModel,
  doc: {
    method: 'POST',
    path: '/v1/chat/completions',
    tag: 'Compatible endpoints',
    summary: "Ask a model in OpenAI's chat-completions dialect",
    auth: ['secret_key', 'customer'],
    body: chatCompletionsBody,
    success: { status: 200, schema: chatCompletionSchema },
    alsoAnswers: [{ status: 200, contentType: 'text/event-stream' }],
    refusals: [402],
    errorShape: 'openai',
    idempotent: true,
  },
};
