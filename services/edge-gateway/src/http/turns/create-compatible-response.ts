import type { IncomingHttpHeaders } from 'node:http';
import {
  compatibleResponseSchema,
  compatibleResponsesBody,
  inputOfCompatibleResponses,
  isSelfContained,
  openAiResponseEventSchema,
} from '@tollgate/api/compatible';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { toOpenAiError } from '@tollgate/errors';
import { unknownModel } from '@tollgate/spending';
import { discardAttempt } from '../../operations/attempts/discard-lost-responses.js';
import { runStatefulTurn } from './run-stateful-turn.js';
import { defineTurn } from './run-turn.js';
import type { TurnRequest } from './turn-route.js';

/** `POST /v1/responses`: for client libraries that speak OpenAI's responses dialect. */
export const createCompatibleResponse = defineTurn({
  path: '/v1/responses',
  tag: 'Compatible endpoints',
  summary: "Ask a model in OpenAI's responses dialect",
  operationId: 'createOpenAiResponse',
  description:
    'For client libraries that use the responses protocol of OpenAI: set their base URL to this server. Where the project stores responses, a request may continue one by `previous_response_id`, or name its items by `item_reference`; a request with `store: false` is not stored. With `conversation`, it gets the items of the conversation before its own, and its input and output are added to it together, once it is complete. With `background: true`, the request is stored and the answer is its `queued` response: poll `GET /v1/responses/{response_id}` until it has ended. With `stream: true` as well, its events are streamed; a client that is cut off continues at `GET /v1/responses/{response_id}?stream=true&starting_after={sequence_number}`.',
  success: { status: 200, schema: compatibleResponseSchema },
  alsoAnswers: [{ status: 200, schema: openAiResponseEventSchema, contentType: 'text/event-stream' }],
  dialect: Dialect.OPENAI_RESPONSES,
  errorShape: 'openai',
  body: compatibleResponsesBody,
  refusals: [402, 404],
  turn: runStatefulTurn,
  discard: (ctx, attemptId, call, { stateful }: TurnRequest) => discardAttempt(ctx, attemptId, call, stateful ?? {}),
  read(body, headers) {
    return {
      model: body.model,
      provider: undefined,
      maxOutputTokens: body.max_output_tokens ?? undefined,
      // A body that refers to stored items is measured with them.
      input: isSelfContained(body) ? inputOfCompatibleResponses(body) : { messages: [] },
      stateful: body,
      format: body.stream === true ? 'sse' : undefined,
      betas: readFeatures(headers),
    };
  },
  errorEvent(thrown) {
    const error = toOpenAiError(thrown);
    const { code, message, param } = error;
    return JSON.stringify({ type: 'error', code, message, param, error });
  },
  errorEventName: 'error',
  unknownModel,
});

/** Header with which Codex sends its tools as items of the input. */
const LITE_HEADER = 'x-openai-internal-codex-responses-lite';

function readFeatures(headers: IncomingHttpHeaders): string[] {
  return headers[LITE_HEADER] === 'true' ? [LITE_HEADER] : [];
}
