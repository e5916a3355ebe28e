import {
  compatibleResponseSchema,
  fromBackgroundResponseId,
  getCompatibleResponseQuery,
  openAiResponseEventSchema,
} from '@tollgate/api/compatible';
import { AppError, isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import type { Context } from '../../../../context.js';
import type { EventStreamResult } from '../../../exchange/route.js';
import { defineRoute } from '../../../exchange/route.js';
import { BACKGROUND_STREAM_TIMEOUT_MS, streamBackground } from '../../../turns/stream-background.js';
import { readResponse } from './background-response.js';
import { storedResponseParams } from './params.js';

type StreamParts = Pick<Context, 'backgroundStreams' | 'clients' | 'lifecycle'>;

const READ_TIMEOUT_MS = 10_000;

export const getCompatibleResponse = defineRoute({
  method: 'GET',
  path: '/v1/responses/:response_id',
  tag: 'Compatible endpoints',
  summary: 'Get a stored response',
  operationId: 'getOpenAiResponse',
  description:
    'Returns the response as it was answered. A background response is `queued` or `in_progress` until it has ended. With `stream=true`, its events are streamed, if it was created with `stream: true`: the stored ones after `starting_after`, then new ones until it has ended. They are kept as long as the response, unless later ones of the project need their place. A customer reads its own responses, a project also those of its customers.',
  auth: ['secret_key', 'customer'],
  params: storedResponseParams,
  query: getCompatibleResponseQuery,
  success: { status: 200, schema: compatibleResponseSchema },
  alsoAnswers: [{ status: 200, schema: openAiResponseEventSchema, contentType: 'text/event-stream' }],
  errorShape: 'openai',
  timeoutMs: BACKGROUND_STREAM_TIMEOUT_MS,
  async handler({ params: { response_id: id }, query, call }, ctx) {
    if (query.stream === 'true' || query.stream === '1') {
      return streamResponse(ctx, { id, startingAfter: query.starting_after }, call);
    }
    if (query.starting_after !== undefined) {
      throw refusedField('starting_after', 'is only for streams: send stream=true with it, or leave it out');
    }
    const short = call.with({ timeoutMs: READ_TIMEOUT_MS });
    return { body: (await readResponse(ctx, 'getBackgroundResponse', id, short)) as never };
  },
});

async function streamResponse(
  ctx: StreamParts,
  from: { id: string; startingAfter: number | undefined },
  call: Call,
): Promise<EventStreamResult> {
  const close = ctx.backgroundStreams.take(call.requirePrincipal());
  try {
    if (fromBackgroundResponseId(from.id) !== undefined) return await streamBackground(ctx, from, call, close);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'NOT_FOUND') throw error;
  }
  close();
  // Throws for a response that does not exist.
  await readResponse(ctx, 'getBackgroundResponse', from.id, call.with({ timeoutMs: READ_TIMEOUT_MS }));
  throw refusedField('stream', 'is only for responses that were created with background and stream: leave it out');
}

function refusedField(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', `${field} ${message}`, {
    fields: [{ field, message }],
    vendorError: { shape: 'openai', type: 'invalid_request_error' },
  });
}
