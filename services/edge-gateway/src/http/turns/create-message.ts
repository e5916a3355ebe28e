import type { IncomingHttpHeaders } from 'node:http';
import {
  anthropicMessageEventSchema,
  anthropicMessageSchema,
  inputOfMessages,
  messagesBody,
} from '@tollgate/api/compatible';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { toAnthropicError } from '@tollgate/errors';
import { unknownModel } from '@tollgate/spending';
import { defineTurn } from './run-turn.js';

/** `POST /v1/messages`: for client libraries that speak Anthropic's dialect. */
export const createMessage = defineTurn({
  path: '/v1/messages',
  tag: 'Compatible endpoints',
  summary: "Ask a model in Anthropic's messages dialect; the key may come as x-api-key",
  operationId: 'createAnthropicMessage',
  description:
    'For client libraries that use the messages protocol of Anthropic: set their base URL to this server. With `stream`, the answer is a stream of server-sent events.',
  success: { status: 200, schema: anthropicMessageSchema },
  alsoAnswers: [{ status: 200, schema: anthropicMessageEventSchema, contentType: 'text/event-stream' }],
  dialect: Dialect.ANTHROPIC_MESSAGES,
  hasOptionalParameters: true,
  errorShape: 'anthropic',
  vendorKeyHeader: 'x-api-key',
  body: messagesBody,
  read(body, headers) {
    return {
      model: body.model,
      provider: undefined,
      maxOutputTokens: body.max_tokens,
      input: inputOfMessages(body),
      format: body.stream === true ? 'sse' : undefined,
      betas: readBetas(headers),
    };
  },
  errorEvent: (error, requestId) => JSON.stringify(toAnthropicError(error, requestId)),
  errorEventName: 'error',
  unknownModel,
});

/** Parses `anthropic-beta: one,other`. */
function readBetas(headers: IncomingHttpHeaders): string[] {
  const named = String(headers['anthropic-beta'] ?? '').split(',');
  return named.map((name) => name.trim()).filter((name) => name !== '');
}
