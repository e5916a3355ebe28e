import { z } from 'zod';
import { cursorQuery, queryBoolean, queryInteger } from '../values/paging.js';
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
  cost_microcents: microcents.meta({
    description:
      'provider cost charged to the owner; for a connection of the project itself the cost by the catalog, which the project pays the vendor and the owner is not charged',
  }),
  overrun_microcents: microcents,
  unreconciled_microcents: microcents,
  duration_ms: count.optional(),
  first_output_ms: count.optional().meta({ description: 'streams only' }),
});

const limitNames = ['allowance', 'wallet', 'key', 'owner', 'daily_cap', 'quota'] as const;

/** A limit as the admission of a request found it. */
const checkedLimit = z.object({
  limit: z.enum(limitNames).or(z.string()),
  unit: z.enum(['microcents', 'units']),
  total: z.int().optional().meta({ description: 'what the limit grants; none: a balance, or a limit without a bound' }),
  used_before: z.int().optional().meta({ description: 'of the total, charged or held when the request came' }),
  available_before: z
    .int()
    .optional()
    .meta({ description: 'free when the request came; none: not recorded, or no bound' }),
  required: z.int().optional().meta({ description: 'the least that a refused request needed' }),
  held: z.int().optional(),
  charged: z.int().optional(),
  verdict: z
    .enum(['allowed', 'refused', 'not_needed'])
    .meta({ description: 'not_needed: an earlier limit covered all' }),
});

const admission = z.object({ verdict: z.enum(['allowed', 'refused']), limits: z.array(checkedLimit) });

const hold = z.object({
  state: z.enum(['open', 'posted', 'released', 'expired', 'late']).or(z.string()).meta({
    description:
      'posted: charged. released: nothing was served. expired: no report came. late: a report came afterwards',
  }),
  opened_at: z.iso.datetime().optional(),
  ended_at: z.iso.datetime().optional(),
  expires_at: z.iso.datetime().optional().meta({ description: 'without progress' }),
  held_for: z.object({ input_tokens: count, output_tokens: count, images: count }),
  customer_held_microcents: microcents,
  owner_held_microcents: microcents,
  customer_charged_microcents: microcents,
  owner_charged_microcents: microcents,
});

const unitPrices = z.object({
  input_per_million_cents: z.int(),
  cached_input_per_million_cents: z.int().optional(),
  output_per_million_cents: z.int(),
  per_image_cents: z.int(),
});

/** The price list entries that applied when the request was admitted. */
const prices = z.object({
  currency: z.literal('usd'),
  customer: unitPrices.optional().meta({ description: "of the customer's tier; none: only the owner paid" }),
  owner: unitPrices.meta({ description: 'of the catalog' }),
});

const routeAttempt = z.object({
  provider: z.string(),
  connection: z.string().optional().meta({ description: 'the name of the connection' }),
  own_connection: z.boolean().optional().meta({ description: 'the connection is the project’s own' }),
  model: z.string().meta({ description: "the provider's name of the model" }),
  outcome: z.enum(['answered', 'failed', 'canceled', 'skipped']).or(z.string()),
  duration_ms: count,
  failure: z.string().optional().meta({
    description: 'response, payment, timeout, transport, invalid_response, overloaded, unwritten or unauthorized',
  }),
  http_status: z.int().optional(),
});

/** One request in full. Parts that are not known, or past their retention, are absent. */
export const requestDetailSchema = requestSchema.extend({
  trace_id: z.string().optional(),
  admission_ms: count.optional().meta({ description: 'from the arrival of the request until its admission' }),
  admission: admission.optional(),
  hold: hold.optional(),
  prices: prices.optional(),
  attempts: z.array(routeAttempt).optional().meta({ description: 'calls to providers, in order: at most 20' }),
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
  min_duration_ms: queryInteger(0, 86_400_000).optional(),
  min_cost_microcents: queryInteger(0, Number.MAX_SAFE_INTEGER).optional(),
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

export const requestResponse = z.object({ request: requestDetailSchema });

export type RequestJson = z.output<typeof requestSchema>;
export type RequestDetailJson = z.output<typeof requestDetailSchema>;
export type RequestFilters = z.output<typeof requestFilters>;
export type RequestListQuery = z.output<typeof requestListQuery>;
