import {
  type CompatibleResponsesBody,
  compatibleResponseSchema,
  compatibleResponsesBody,
  inputOfCompatibleResponses,
} from '@tollgate/api';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { toOpenAiError } from '@tollgate/errors';
import type { HotRoute } from './hot-route.js';
import { unknownCompatibleModel } from './spender.js';

/** `POST /v1/responses`: for client libraries of OpenAI's newer dialect. */
export const createCompatibleResponse: HotRoute = {
  path: '/v1/responses',
  dialect: Dialect.OPENAI_RESPONSES,
  errorShape: 'openai',
  body: compatibleResponsesBody,
  read(value) {
    const body = value as CompatibleResponsesBody;
    return {
      model: body.model,
      provider: undefined,
      maxOutputTokens: body.max_output_tokens ?? undefined,
      input: inputOfCompatibleResponses(body),
      format: body.stream === true ? 'sse' : undefined,
    };
  },
  requestIdHeaders: ['x-request-id', 'request-id'],
  keepaliveEvent: undefined,
  errorEvent(thrown) {
    const error = toOpenAiError(thrown);
    const { code, message, param } = error;
    return JSON.stringify({ type: 'error', code, message, param, error });
  },
  errorEventName: 'error',
  unknownModel: unknownCompatibleModel,
  doc: {
    method: 'POST',
    path: '/v1/responses',
    tag: 'Compatible endpoints',
    summary: "Ask a model in OpenAI's responses dialect",
    auth: ['secret_key', 'customer'],
    body: compatibleResponsesBody,
    success: { status: 200, schema: compatibleResponseSchema },
    alsoAnswers: [{ status: 200, contentType: 'text/event-stream' }],
    refusals: [402],
    errorShape: 'openai',
    idempotent: true,
  },
};
