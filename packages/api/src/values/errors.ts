import { z } from 'zod';
import { responseUsage } from '../model-requests/responses.js';

const layer = z.enum(['request', 'routing', 'modelrelay', 'provider_integration', 'upstream']);
const cause = z.enum([
  'validation',
  'authentication',
  'authorization',
  'rate_limit',
  'timeout',
  'canceled',
  'transport',
  'upstream_response',
  'invalid_response',
  'unavailable',
  'internal',
]);

const failure = z.object({
  layer,
  cause,
  status_code: z.int(),
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  detail: z.string().optional(),
  request_id: z.string().optional(),
  provider_request_id: z.string().optional(),
  batch_id: z.string().optional(),
  item_id: z.string().optional(),
});

/** The native error envelope. */
export const apiErrorSchema = failure.extend({
  error: z.literal('api_error'),
  /** The fields that failed validation. */
  fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** Faults of a workflow spec. */
  issues: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })).optional(),
  failures: z.array(failure).optional(),
  /** Usage that was served before a limit was reached, and its charge. */
  usage: responseUsage.optional(),
  charged_microcents: z.int().optional(),
  /** A page on which the problem can be solved: the payment processor's, for a card that was refused. */
  action_url: z.url().optional(),
});

/** Errors of the endpoints that return only a message (tool hooks, webhooks). */
export const simpleErrorSchema = z.object({ error: z.string() });

/** A validation error of a request for images. */
export const imagesErrorSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Errors of the compatible endpoints, as the client libraries of OpenAI's dialect read them. */
export const openAiErrorSchema = z.object({
  error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string().nullable() }),
});

/** The same for Anthropic's dialect. */
export const anthropicErrorSchema = z.object({
  type: z.literal('error'),
  error: z.object({
    type: z.string(),
    message: z.string(),
    details: z.object({ code: z.string().optional(), error_code: z.string().optional() }).optional(),
  }),
  request_id: z.string(),
});

/** The same for Google's dialect. */
export const googleErrorSchema = z.object({
  error: z.object({
    code: z.int(),
    message: z.string(),
    status: z.string(),
    /** `ErrorInfo` with our code as `reason`, and where they apply `BadRequest` and `RetryInfo` of `google.rpc`. */
    details: z.array(z.looseObject({ '@type': z.string() })),
  }),
});
