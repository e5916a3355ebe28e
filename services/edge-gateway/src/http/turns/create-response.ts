import { inputOfResponses, responseEventSchema, responseResource, responsesBody } from '@tollgate/api/model-requests';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import { chooseAnswerFormat } from '../answer/accept.js';
import { defineTurn } from './run-turn.js';

/** `POST /responses`: plain JSON, NDJSON or SSE, as the client accepts. */
export const createResponse = defineTurn({
  path: '/responses',
  tag: 'Model responses',
  summary: 'Ask a model; JSON, or a stream as NDJSON (responses-stream/v2) or SSE by the Accept header',
  operationId: 'createResponse',
  description:
    'Answers with one JSON object, or streams events when the `Accept` header names `application/x-ndjson` or `text/event-stream`. Only a secret key without a customer must name a model; a customer gets the default model of its tier. Tools that the service runs itself are executed within the call.',
  success: { status: 200, schema: responseResource },
  alsoAnswers: [
    { status: 200, schema: responseEventSchema, contentType: 'application/x-ndjson' },
    { status: 200, schema: responseEventSchema, contentType: 'text/event-stream' },
  ],
  dialect: Dialect.NATIVE,
  body: responsesBody,
  read(body, headers) {
    return {
      model: body.model,
      provider: body.provider,
      maxOutputTokens: body.max_output_tokens,
      input: inputOfResponses(body),
      format: chooseAnswerFormat(headers.accept),
    };
  },
  keepaliveEvent: '{"type":"keepalive","stream_version":"v2"}',
  errorEvent(error, requestId) {
    const { code, message, status, retryable } = error;
    return JSON.stringify({ type: 'error', code, message, status, retryable, request_id: requestId });
  },
  unknownModel: (model) =>
    new AppError('INVALID_INPUT', `unknown model: ${model}`, {
      fields: [{ field: 'model', message: `unknown model ${model}` }],
    }),
});
