import type { CatalogModel } from './model-record.js';

/** Tools that a model's vendor runs on its side. */
export type ProviderToolKind = 'search' | 'code_run';

/** How often the vendor used its own tools in one answer. */
export interface ProviderToolUse {
  searches?: number;
  codeRuns?: number;
}

/** Searches of one answer that are reserved for; the vendors that take a bound are given this one. */
export const PROVIDER_SEARCHES_MAX = 5;
const CODE_RUNS_RESERVED = 3;
/** Upper estimate of the tokens that a model reads from one search's or one code run's results. */
const RESULT_TOKENS = 16_384;

/** The vendor's fee for a thousand uses; undefined: the catalog has none, so the tool cannot be offered. */
export function providerToolFee(model: CatalogModel, kind: ProviderToolKind): number | undefined {
  return kind === 'search' ? model.search_cost_per_thousand_cents : model.code_run_cost_per_thousand_cents;
}

/**
 * The vendor's fees in input tokens that cost as much, each kind rounded up: so the cost of a request is only its
 * tokens times their prices.
 */
export function toolFeeTokens(model: CatalogModel, { searches = 0, codeRuns = 0 }: ProviderToolUse): number {
  return tokensOfFee(model, 'search', searches) + tokensOfFee(model, 'code_run', codeRuns);
}

/** Tokens to reserve for tools that the vendor may use: their fees, and their results as the model reads them. */
export function reserveForTools(model: CatalogModel, kinds: readonly ProviderToolKind[]): number {
  return kinds.reduce((sum, kind) => {
    const uses = kind === 'search' ? PROVIDER_SEARCHES_MAX : CODE_RUNS_RESERVED;
    return sum + tokensOfFee(model, kind, uses) + uses * RESULT_TOKENS;
  }, 0);
}

function tokensOfFee(model: CatalogModel, kind: ProviderToolKind, uses: number): number {
  const price = model.input_cost_per_million_cents ?? 0;
  const fee = providerToolFee(model, kind) ?? 0;
  // fee / 1000 cents a piece, price / 1,000,000 cents a token.
  return price === 0 ? 0 : Math.ceil((uses * fee * 1_000) / price);
}
