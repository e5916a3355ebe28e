import {
  inputOfResponses,
  type ResponsesBody,
  responseEventSchema,
  responseResource,
  responsesBody,
} from '@tollgate/api';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import { streamFormatOf } from '../answer/stream-format.js';
import type { HotRoute } from './hot-route.js';

/** `POST /responses`: plain JSON, NDJSON or SSE, as the client accepts. */
export const createResponse: HotRoute = {
  path: '/api/v1/responses',
  dialect: Dialect.NATIVE,
  errorShape: 'native',
  body: responsesBody,
  read(value, headers) {
    const body = value as ResponsesBody;
    return {
      model: body.model,
      provider: body.provider,
      maxOutputTokens: body.max_output_tokens,
      input: inputOfResponses(body),
      format: streamFormatOf(headers.accept),
    };
  },
  requestIdHeaders: [],
  keepaliveEvent: '{"type":"keepalive","stream_version":"v2"}',
  errorEvent(error, requestId) {
    const { code, message, status, retryable } = error;
    return JSON.stringify({ type: 'error', code, message, status, retryable, request_id: requestId });
  },
  unknownModel: (model) =>
    new AppError('INVALID_INPUT', `unknown model: ${model}`, {
      fields: [{ field: 'model', message: `unknown model ${model}` }],
    }),
  doc: {
    method: 'POST',
    path: '/responses',
    tag: 'Model responses',
    summary: 'Ask a model; JSON, or a stream as NDJSON (responses-stream/v2) or SSE by the Accept header',
    auth: ['secret_key', 'customer'],
    body: responsesBody,
    success: { status: 200, schema: responseResource },
    alsoAnswers: [
      { status: 200, schema: responseEventSchema, contentType: 'application/x-ndjson' },
      { status: 200, contentType: 'text/event-stream' },
    ],
    refusals: [402],
    idempotent: true,
  },
};
