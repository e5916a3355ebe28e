import type { CatalogModel } from './model-record.js';

const OUTPUT_TOKENS = 8_192;
/** Reasoning counts as output: a smaller bound would end many answers before they begin. */
const OUTPUT_TOKENS_WITH_REASONING = 32_768;

/** Returns the output bound of a request that names none. */
export function usualOutputTokens({ reasons, max_output_tokens: max }: CatalogModel): number {
  return Math.min(reasons ? OUTPUT_TOKENS_WITH_REASONING : OUTPUT_TOKENS, max);
}
