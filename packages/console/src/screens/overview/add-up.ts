import type { UsageRow } from '../../api/types.js';

export interface Totals {
  requests: number;
  tokens: number;
  revenue: number;
  cost: number;
}

/** Adds up rows of usage. Amounts are in microcents. */
export function addUp(rows: readonly UsageRow[]): Totals {
  const totals = { requests: 0, tokens: 0, revenue: 0, cost: 0 };
  for (const row of rows) {
    totals.requests += row.requests;
    totals.tokens += row.input_tokens + row.output_tokens;
    totals.revenue += row.customer_microcents;
    totals.cost += row.provider_microcents;
  }
  return totals;
}
