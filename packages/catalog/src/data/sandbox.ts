import type { CatalogModelInput } from '../model-record.js';

// Models that play the part of test cards: deterministic, without network. Their prices are not zero so that metering,
// limits and invoices can be seen at work.
export const sandboxModels: CatalogModelInput[] = [
  {
    model_id: 'sandbox/echo-1',
    display_name: 'Sandbox Echo 1',
    provider: 'sandbox',
    description:
      'Answers deterministically to the last user text; words in it provoke tool calls, delays and failures.',
    capabilities: ['text', 'vision', 'tool_use', 'structured_output'],
    context_window: 128_000,
    max_output_tokens: 16_384,
    training_cutoff: '2025-01-01',
    input_cost_per_million_cents: 100,
    output_cost_per_million_cents: 300,
    tokenizer: 'sandbox',
  },
  {
    model_id: 'sandbox/image-1',
    display_name: 'Sandbox Image 1',
    provider: 'sandbox',
    description: 'Draws small deterministic PNGs.',
    capabilities: ['image_generation'],
    context_window: 32_000,
    max_output_tokens: 0,
    price_per_image_cents: 4,
    tokenizer: 'sandbox',
  },
];
