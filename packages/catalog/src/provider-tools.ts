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

/**
 * The vendor's fees in input tokens that cost as much, each kind rounded up: so the cost of a request is only its
 * tokens times their prices.
 */
export function toolFeeTokens(model: CatalogModel, used: ProviderToolUse): number {
  const { searches = 0, codeRuns = 0, cacheWriteHourTokens = 0 } = used;
  return (
    tokensOfFee(model, 'search', searches) +
    tokensOfFee(model, 'code_run', codeRuns) +
    hourCacheFeeTokens(model, cacheWriteHourTokens)
  );
}

/** Tokens to reserve for tools that the vendor may use: their fees, and their results as the model reads them. */
export function reserveForTools(model: CatalogModel, kinds: readonly ProviderToolKind[]): number {
  return kinds.reduce((sum, kind) => {
    const { max, resultTokens } = uses[kind];
    return sum + tokensOfFee(model, kind, max) + max * resultTokens;
  }, 0);
}

/**
 * What tokens cost in the cache of an hour above the input price, which they are charged like all input, in input tokens. 0
 * if the catalog has no price: then the cache is not offered.
 */
export function hourCacheFeeTokens(model: CatalogModel, tokens: number): number {
  const price = model.input_cost_per_million_cents ?? 0;
  const more = (model.cache_write_1h_cost_per_million_cents ?? 0) - price;
  return price === 0 || more <= 0 ? 0 : Math.ceil((tokens * more) / price);
}

function tokensOfFee(model: CatalogModel, kind: ProviderToolKind, count: number): number {
  const price = model.input_cost_per_million_cents ?? 0;
  const fee = providerToolFee(model, kind) ?? 0;
  // fee / 1000 cents a piece, price / 1,000,000 cents a token.
  return price === 0 ? 0 : Math.ceil((count * fee * 1_000) / price);
}
