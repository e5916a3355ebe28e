import type { UsageFigures } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';
import { formatCount } from '../../format/numbers.js';
import { formatDuration } from '../../format/times.js';

export interface Metric {
  label: string;
  read: (figures: UsageFigures) => number | undefined;
  format: (value: number) => string;
}

/** Figures that a chart of usage can show. */
export const METRICS = {
  revenue: { label: 'Usage', read: (row) => row.revenue_microcents, format: formatMoney },
  cost: { label: 'Cost', read: (row) => row.cost_microcents, format: formatMoney },
  margin: { label: 'Margin', read: (row) => row.margin_microcents, format: formatMoney },
  requests: { label: 'Requests', read: (row) => row.requests, format: formatCount },
  errors: { label: 'Errors', read: (row) => row.failed + row.refused, format: formatCount },
  tokens: { label: 'Tokens', read: (row) => row.input_tokens + row.output_tokens, format: formatCount },
  latency: { label: 'Latency, p95', read: (row) => row.duration_p95_ms, format: formatDuration },
  first: { label: 'First output, p95', read: (row) => row.first_output_p95_ms, format: formatDuration },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;

export function readMetric(text: string | undefined): MetricName {
  return text !== undefined && Object.hasOwn(METRICS, text) ? (text as MetricName) : 'revenue';
}
