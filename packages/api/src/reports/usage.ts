import { z } from 'zod';
import { queryInteger } from '../values/paging.js';
import { requestFilters } from './requests.js';

const count = z.int().min(0);
const percentile = z.int().min(0).optional().meta({ description: 'within 0.8 %; exact below 128 ms' });

/** `GET /projects/{id}/usage` */
export const projectUsageQuery = requestFilters.extend({
  interval: z.enum(['hour', 'day', 'total']).default('day'),
  group_by: z.enum(['model', 'customer', 'key', 'tier', 'status']).optional(),
  limit: queryInteger(1, 1_000).default(1_000),
});

const figures = z.object({
  requests: count,
  succeeded: count,
  failed: count,
  refused: count,
  unreported: count,
  input_tokens: count,
  output_tokens: count,
  images: count,
  revenue_microcents: z.int(),
  cost_microcents: z.int().meta({
    description:
      'provider cost charged to the owner, and the cost by the catalog of requests that connections of the project itself served, which the owner is not charged',
  }),
  margin_microcents: z.int().meta({ description: 'revenue less cost' }),
  duration_p50_ms: percentile,
  duration_p95_ms: percentile,
  duration_p99_ms: percentile,
  first_output_p50_ms: percentile,
  first_output_p95_ms: percentile,
});

const usageRow = figures.extend({
  start: z.iso.datetime().optional().meta({ description: 'of the interval' }),
  group: z.string().optional().meta({ description: 'none: requests without a customer, key, tier or model' }),
});

export const projectUsageSchema = z.object({ usage: z.array(usageRow), totals: figures, has_more: z.boolean() });

export type UsageFigures = z.output<typeof figures>;
export type ProjectUsageQuery = z.output<typeof projectUsageQuery>;
