import { z } from 'zod';
import { citation, responseUsage, toolCall, toolResult } from './responses.js';

/** The events of a streamed `POST /responses` (`responses-stream/v2`). Readers ignore fields and types they do not know. */

const ofAnswer = { request_id: z.string(), provider: z.string(), model: z.string() };
const toolCallDelta = z.object({ ...toolCall.shape, index: z.int().min(0) });
const complete_fields = z.array(z.string());

/** An RFC 6902 patch of the document so far, which starts as `{}`. */
const patch = z.array(z.object({ op: z.enum(['add', 'replace']), path: z.string(), value: z.unknown() }));

function event<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.object({ ...shape, type: z.literal(type) });
}

/** One line of NDJSON, or the data of one server-sent event. */
export const responseEventSchema = z.union([
  event('start', {
    ...ofAnswer,
    stream_mode: z.enum(['text-delta', 'structured-patch']),
    stream_version: z.literal('v2'),
  }),
  /** `content` is the text so far; updates of long texts omit it. */
  event('update', { delta: z.string(), content: z.string().optional() }),
  event('update', { patch, complete_fields }),
  event('tool_use_start', { tool_call_delta: toolCallDelta }),
  event('tool_use_delta', { tool_call_delta: toolCallDelta }),
  /** `tool_result` where the service has run the tool. */
  event('tool_use_stop', { tool_calls: z.array(toolCall), tool_result: toolResult.optional() }),
  event('completion', {
    ...ofAnswer,
    response_id: z.string(),
    content: z.string().optional(),
    payload: z.unknown().optional(),
    complete_fields: complete_fields.optional(),
    tool_calls: z.array(toolCall).optional(),
    stop_reason: z.string(),
    usage: responseUsage,
    citations: z.array(citation).optional(),
  }),
  event('error', {
    code: z.string(),
    message: z.string(),
    status: z.int(),
    retryable: z.boolean(),
    request_id: z.string(),
    detail: z.string().optional(),
    provider_request_id: z.string().optional(),
    /** Usage that was served before a limit was reached, and its charge. */
    usage: responseUsage.optional(),
    charged_microcents: z.int().optional(),
  }),
  event('keepalive', { stream_version: z.literal('v2') }),
]);

export type ResponseEvent = z.output<typeof responseEventSchema>;
