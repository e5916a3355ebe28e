import {
  compatibleResponseSchema,
  compatibleResponsesBody,
  inputOfCompatibleResponses,
  openAiResponseEventSchema,
} from '@tollgate/api/compatible';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { toOpenAiError } from '@tollgate/errors';
import { unknownCompatibleModel } from './spender.js';
import { defineTurn } from './turn-route.js';

/** `POST /v1/responses`: for client libraries that speak OpenAI's responses dialect. */
export const createCompatibleResponse = defineTurn({
  path: '/v1/responses',
  tag: 'Compatible endpoints',
  summary: "Ask a model in OpenAI's responses dialect",
  operationId: 'createOpenAiResponse',
  description:
    'For client libraries that use the responses protocol of OpenAI: set their base URL to this server. Responses are not stored, so each request sends the whole conversation.',
  success: { status: 200, schema: compatibleResponseSchema },
  alsoAnswers: [{ status: 200, schema: openAiResponseEventSchema, contentType: 'text/event-stream' }],
  dialect: Dialect.OPENAI_RESPONSES,
  errorShape: 'openai',
  body: compatibleResponsesBody,
  read(body) {
    return {
      model: body.model,
      provider: undefined,
      maxOutputTokens: body.max_output_tokens ?? undefined,
      input: inputOfCompatibleResponses(body),
      format: body.stream === true ? 'sse' : undefined,
    };
  },
  errorEvent(thrown) {
    const error = toOpenAiError(thrown);
    const { code, message, param } = error;
    return JSON.stringify({ type: 'error', code, message, param, error });
  },
  errorEventName: 'error',
  unknownModel: unknownCompatibleModel,
});
