import type { IncomingHttpHeaders } from 'node:http';
import { anthropicMessageSchema, inputOfMessages, type MessagesBody, messagesBody } from '@tollgate/api';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { toAnthropicError } from '@tollgate/errors';
import type { HotRoute } from './hot-route.js';
import { unknownCompatibleModel } from './spender.js';

/** `POST /v1/messages`: for client libraries of Anthropic's dialect. */
export const createMessage: HotRoute = {
  path: '/v1/messages',
  dialect: Dialect.ANTHROPIC_MESSAGES,
  errorShape: 'anthropic',
  acceptsVendorKeyHeader: true,
  body: messagesBody,
  read(value, headers) {
    const body = value as MessagesBody;
    return {
      model: body.model,
      provider: undefined,
      maxOutputTokens: body.max_tokens,
      input: inputOfMessages(body),
      format: body.stream === true ? 'sse' : undefined,
      betas: betasOf(headers),
    };
  },
  requestIdHeaders: ['request-id', 'x-request-id'],
  keepaliveEvent: undefined,
  errorEvent: (error, requestId) => JSON.stringify(toAnthropicError(error, requestId)),
  errorEventName: 'error',
  unknownModel: unknownCompatibleModel,
  doc: {
    method: 'POST',
    path: '/v1/messages',
    tag: 'Compatible endpoints',
    summary: "Ask a model in Anthropic's messages dialect; the key may come as x-api-key",
    auth: ['secret_key', 'customer'],
    body: messagesBody,
    success: { status: 200, schema: anthropicMessageSchema },
    alsoAnswers: [{ status: 200, contentType: 'text/event-stream' }],
    refusals: [402],
    errorShape: 'anthropic',
    idempotent: true,
  },
};

/** `anthropic-beta: one,other`. */
function betasOf(headers: IncomingHttpHeaders): string[] {
  const named = String(headers['anthropic-beta'] ?? '').split(',');
  return named.map((name) => name.trim()).filter((name) => name !== '');
}
