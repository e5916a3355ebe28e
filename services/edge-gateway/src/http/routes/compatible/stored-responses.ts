import {
  compatibleResponseSchema,
  deleteCompatibleResponseResponse,
  fromBackgroundResponseId,
  getCompatibleResponseQuery,
  listResponseInputItemsQuery,
  listResponseInputItemsResponse,
  openAiResponseEventSchema,
} from '@tollgate/api/compatible';
import { AppError, isAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { z } from 'zod';
import type { Context } from '../../../context.js';
import { defineRoute, type EventStreamResult } from '../../exchange/route.js';
import { BACKGROUND_STREAM_TIMEOUT_MS, streamBackground } from '../../turns/stream-background.js';

/** Ids of stored responses are chosen by vendors. */
const storedResponseParams = z.object({ response_id: z.string().min(1).max(256) });

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

export const deleteCompatibleResponse = defineRoute({
  method: 'DELETE',
  path: '/v1/responses/:response_id',
  tag: 'Compatible endpoints',
  summary: 'Delete a stored response',
  operationId: 'deleteOpenAiResponse',
  description:
    'Responses that continue it keep its items until they are deleted or expire. A background response is stopped first.',
  auth: ['secret_key', 'customer'],
  params: storedResponseParams,
  success: { status: 200, schema: deleteCompatibleResponseResponse },
  errorShape: 'openai',
  handler: async ({ params: { response_id: id }, call }, ctx) => {
    await removeResponse(ctx, id, call);
    return { body: { id, object: 'response', deleted: true } };
  },
});

export const cancelCompatibleResponse = defineRoute({
  method: 'POST',
  path: '/v1/responses/:response_id/cancel',
  tag: 'Compatible endpoints',
  summary: 'Cancel a background response',
  operationId: 'cancelOpenAiResponse',
  description:
    'Stops a response that was created with `background: true` and has not ended. What its provider has served until then is charged. A response that has ended is returned as it is.',
  auth: ['secret_key', 'customer'],
  params: storedResponseParams,
  success: { status: 200, schema: compatibleResponseSchema },
  errorShape: 'openai',
  async handler({ params: { response_id: id }, call }, ctx) {
    const response = await readResponse(ctx, 'cancelBackgroundResponse', id, call);
    if (fromBackgroundResponseId(id) === undefined) throw notCancelable();
    return { body: response as never };
  },
});

function notCancelable(): AppError {
  const message = 'only responses that were created with background: true can be canceled';
  return new AppError('VALIDATION_ERROR', message, { vendorError: { shape: 'openai', type: 'invalid_request_error' } });
}

export const listResponseInputItems = defineRoute({
  method: 'GET',
  path: '/v1/responses/:response_id/input_items',
  tag: 'Compatible endpoints',
  summary: 'List the items that a stored response was made of',
  operationId: 'listResponseInputItems',
  description:
    'Includes the items of the responses that it continues. Newest first, unless `order` is `asc`. A background response has them once it is complete.',
  auth: ['secret_key', 'customer'],
  params: storedResponseParams,
  query: listResponseInputItemsQuery,
  success: { status: 200, schema: listResponseInputItemsResponse },
  errorShape: 'openai',
  async handler({ params, query, call }, ctx) {
    const { itemsJson, hasMore } = await ctx.clients.storedResponses.listInputItems(
      {
        responseId: params.response_id,
        limit: query.limit,
        after: query.after ?? '',
        isDescending: query.order === 'desc',
      },
      call,
    );
    const data = itemsJson.map((item) => JSON.parse(Buffer.from(item).toString('utf8')) as { id: string });
    return {
      body: {
        object: 'list',
        data,
        first_id: data[0]?.id ?? null,
        last_id: data.at(-1)?.id ?? null,
        has_more: hasMore,
      },
    };
  },
});

type Parts = Pick<Context, 'clients'>;
type Action = 'getBackgroundResponse' | 'cancelBackgroundResponse';

/**
 * Returns a response that is stored, or made in the background and not stored yet. `cancelBackgroundResponse` stops the latter.
 *
 * @throws AppError NOT_FOUND
 */
async function readResponse({ clients }: Parts, action: Action, id: string, call: Call): Promise<unknown> {
  if (fromBackgroundResponseId(id) !== undefined) {
    const { backgroundResponses } = clients;
    const found = await catchNotFound<{ responseJson: Uint8Array }>(backgroundResponses[action]({ id }, call));
    if (found && found.responseJson.length > 0) return parse(found.responseJson);
  }
  const { responseJson } = await clients.storedResponses.getResponse({ responseId: id }, call);
  return parse(responseJson);
}

/** Deletes a response wherever it is. @throws AppError NOT_FOUND */
async function removeResponse({ clients }: Parts, id: string, call: Call): Promise<void> {
  const isBackground = fromBackgroundResponseId(id) !== undefined;
  const deleted =
    isBackground && (await catchNotFound(clients.backgroundResponses.deleteBackgroundResponse({ id }, call)));
  const stored = clients.storedResponses.deleteResponse({ responseId: id }, call);
  await (deleted ? catchNotFound(stored) : stored);
}

async function catchNotFound<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function parse(json: Uint8Array): unknown {
  return JSON.parse(Buffer.from(json).toString('utf8'));
}
