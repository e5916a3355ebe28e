import {
  type GoogleGenerateBody,
  googleGenerateBody,
  googleGenerateEvent,
  googleGenerateEvents,
  googleGenerateResponse,
  inputOfGoogle,
} from '@tollgate/api/compatible';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { toGoogleError } from '@tollgate/errors';
import { unknownModel } from '@tollgate/spending';
import type { StreamFormat } from '../answer/accept.js';
import type { Matched } from '../exchange/exchange.js';
import { validate } from '../exchange/validate.js';
import { googleModelParams, googleStreamQuery } from '../routes/google/models.js';
import { defineTurn } from './run-turn.js';
import type { TurnRequest, TurnRoute } from './turn-route.js';

const shared = {
  tag: 'Compatible endpoints',
  dialect: Dialect.GOOGLE_GENERATE,
  hasOptionalParameters: true,
  errorShape: 'google',
  vendorKeyHeader: 'x-goog-api-key',
  params: googleModelParams,
  body: googleGenerateBody,
  errorEvent: (error) => JSON.stringify(toGoogleError(error)),
  errorEventName: 'error',
  errorsAreBare: true,
  unknownModel,
} satisfies Partial<TurnRoute>;

/** `POST /v1beta/models/{model}:generateContent`: for client libraries that speak Google's dialect. */
export const generateGoogleContent = defineTurn({
  ...shared,
  path: '/v1beta/models/:model:generateContent',
  summary: "Ask a model in Google's generateContent dialect; the key comes as x-goog-api-key",
  operationId: 'generateGoogleContent',
  description:
    'For client libraries that use the Gemini API of Google: set their base URL to this server. A slash in the id of the model may be written as `%2F`. The same endpoints answer under `/v1/models`, which version 3 of the library calls.',
  success: { status: 200, schema: googleGenerateResponse },
  read: (body, _headers, matched) => readTurn(body, matched, undefined),
});

/** `POST /v1beta/models/{model}:streamGenerateContent`: the same as a stream. */
export const streamGoogleContent = defineTurn({
  ...shared,
  path: '/v1beta/models/:model:streamGenerateContent',
  summary: "Ask a model in Google's generateContent dialect, with a streamed answer",
  operationId: 'streamGoogleContent',
  description:
    'Streams server-sent events with `alt=sse`, and the elements of one JSON list without. A failure after the first event ends the events with an error that is not framed as one.',
  query: googleStreamQuery,
  success: { status: 200, schema: googleGenerateEvent, contentType: 'text/event-stream' },
  alsoAnswers: [{ status: 200, schema: googleGenerateEvents }],
  read: (body, _headers, matched) => readTurn(body, matched, matched.query.alt === 'sse' ? 'sse' : 'json-array'),
});

function readTurn(body: GoogleGenerateBody, matched: Matched, format: StreamFormat | undefined): TurnRequest {
  const { model } = validate(googleModelParams, matched.params);
  return {
    model,
    modelName: model,
    provider: undefined,
    maxOutputTokens: body.generationConfig?.maxOutputTokens ?? undefined,
    input: inputOfGoogle(body),
    format,
  };
}
