import { type CatalogModel, estimateInputTokens, type RequestInput } from '@tollgate/catalog';

/** Counts by bytes, which bounds every vocabulary, and has no window to clamp to. */
const UNKNOWN_MODEL: CatalogModel = {
  model_id: 'unknown',
  aliases: [],
  display_name: 'unknown',
  provider: 'openai',
  description: '',
  capabilities: [],
  context_window: Number.MAX_SAFE_INTEGER,
  max_output_tokens: 0,
  reasons: false,
  deprecated: false,
  routes: [],
  metered_in: 'tokens',
  tokenizer: 'bytes',
  // As for any model that the deployment adds.
  prompt_overhead_tokens: 64,
};

/**
 * Returns the most input tokens that the input can count for. `undefined` stands for a model that only admission will
 * name, or that the catalog does not have.
 */
export function estimate(model: CatalogModel | undefined, input: RequestInput): number {
  return estimateInputTokens(model ?? UNKNOWN_MODEL, input);
}
