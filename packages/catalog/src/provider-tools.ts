import type { CatalogModel } from './model-record.js';

/** Tools that a model's vendor runs on its side. Fetching a page costs only the tokens of its text. */
export type ProviderToolKind = 'search' | 'code_run' | 'fetch';

/** Uses of one answer that a vendor charges in addition to tokens at their price. */
export interface ProviderToolUse {
  searches?: number;
  codeRuns?: number;
  /** Input tokens written to the vendor's prompt cache for an hour. */
  cacheWriteHourTokens?: number;
}

/** Searches of one answer that are reserved for; the vendors that take a bound are given this one. */
export const PROVIDER_SEARCHES_MAX = 5;
/** The same for pages that are fetched, and for the text of each. */
export const PROVIDER_FETCHES_MAX = 5;
export const FETCHED_TOKENS_MAX = 16_384;
const CODE_RUNS_RESERVED = 3;
/** Upper estimate of the tokens that a model reads from one search's or one code run's results. */
const RESULT_TOKENS = 16_384;

const uses: Readonly<Record<ProviderToolKind, { max: number; resultTokens: number }>> = {
  search: { max: PROVIDER_SEARCHES_MAX, resultTokens: RESULT_TOKENS },
  fetch: { max: PROVIDER_FETCHES_MAX, resultTokens: FETCHED_TOKENS_MAX },
  code_run: { max: CODE_RUNS_RESERVED, resultTokens: RESULT_TOKENS },
};

/** The vendor's fee for a thousand uses; undefined: the catalog has none, so the tool cannot be offered. */
export function providerToolFee(model: CatalogModel, kind: ProviderToolKind): number | undefined {
  if (kind === 'fetch') return 0;
  return kind === 'search' ? model.search_cost_per_thousand_cents : model.code_run_cost_per_thousand_cents;
}

/** Returns the most uses of the vendor's tools that a hold covers the fees of. */
export function reservedToolUses(kinds: readonly ProviderToolKind[]): { searches: number; codeRuns: number } {
  return {
    searches: kinds.includes('search') ? uses.search.max : 0,
    codeRuns: kinds.includes('code_run') ? uses.code_run.max : 0,
  };
}

/** Tokens to reserve for the results of tools that the vendor may use, as the model reads them. */
export function reserveForResults(kinds: readonly ProviderToolKind[]): number {
  return kinds.reduce((sum, kind) => sum + uses[kind].max * uses[kind].resultTokens, 0);
}
