import { z } from 'zod';
import { cursorQuery, queryBoolean } from '../values/paging.js';
import { storableText } from '../values/text.js';
import { dayOrMoment } from '../values/times.js';

const status = z.enum(['succeeded', 'failed', 'refused', 'unreported']).meta({
  description: 'unreported: the request ended without a report, because its process stopped',
});

const count = z.int().min(0);
const microcents = z.int();

/** One request. Its figures are those of the ledger, seconds late. */
export const requestSchema = z.object({
  id: z.guid(),
  request_id: z.string().meta({ description: 'as in X-Service-Request-Id' }),
  at: z.iso.datetime().meta({ description: 'when it ended' }),
  status,
  http_status: z.int().optional(),
  error_code: z.string().optional(),
  customer_id: z.guid().optional(),
  key_id: z.guid().optional(),
  tier_code: z.string().optional(),
  model: z.string().optional(),
  provider: z.string().optional(),
  streaming: z.boolean(),
  cached: z.boolean(),
  estimated: z.boolean().meta({ description: 'the provider reported no usage; Tollgate counted it' }),
  stop_reason: z.string().optional(),
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_write_input_tokens: count,
  reasoning_tokens: count,
  images: count,
  revenue_microcents: microcents.meta({ description: 'charged to the customer' }),
  cost_microcents: microcents.meta({ description: 'provider cost charged to the owner' }),
  overrun_microcents: microcents,
  unreconciled_microcents: microcents,
  duration_ms: count.optional(),
  first_output_ms: count.optional().meta({ description: 'streams only' }),
});

/** Filters of reports about requests. Without `from`: seven days. */
export const requestFilters = z.object({
  from: dayOrMoment.optional(),
  to: dayOrMoment.optional(),
  status: status.optional(),
  model: storableText(255).min(1).optional(),
  customer_id: z.guid().optional(),
  key_id: z.guid().optional(),
  tier_code: storableText(64).min(1).optional(),
});

/** `GET /projects/{id}/requests` */
export const requestListQuery = requestFilters.extend({
  error_code: storableText(64).min(1).optional(),
  request_id: storableText(128).min(1).optional(),
  min_duration_ms: z.coerce.number().int().min(0).max(86_400_000).optional(),
  min_cost_microcents: z.coerce.number().int().min(0).optional(),
  /** Only requests with usage that no provider reported, or beyond what could be held: no account was charged for it. */
  uncharged: queryBoolean.default(false),
  ...cursorQuery(50, 200).shape,
});

/** `GET /projects/{id}/requests/live` */
export const requestStreamQuery = requestFilters.omit({ from: true, to: true }).extend({
  /** Waits for further requests, instead of ending with those of the last minute. */
  wait: queryBoolean.default(false),
});

export const requestListResponse = z.object({
  requests: z.array(requestSchema),
  next_cursor: z.string().optional(),
});

export const requestResponse = z.object({ request: requestSchema });

export type RequestJson = z.output<typeof requestSchema>;
export type RequestFilters = z.output<typeof requestFilters>;
export type RequestListQuery = z.output<typeof requestListQuery>;
