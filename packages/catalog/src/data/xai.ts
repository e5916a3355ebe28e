import type { CatalogModelInput } from '../model-record.js';

// Reviewed 2026-11-20 against xAI's models and pricing page, docs.x.ai/developers/models (as quoted on 2026-09-25 by
// github.com/jakemanger/whatmodel and on 2026-09-29 by apidog.com).
// Cents per million tokens. From 200,000 prompt tokens on xAI charges double, so the window offered here ends below. xAI
// states no output limit; 32,000 is ours. Tools: docs.x.ai/developers/pricing, $5 for a thousand calls of each.
const tools = { search_cost_per_thousand_cents: 500, code_run_cost_per_thousand_cents: 500 };

export const xaiModels: CatalogModelInput[] = [
  {
    model_id: 'grok-4.7',
    display_name: 'Grok 4.7',
    provider: 'xai',
    description: "xAI's flagship for coding, agentic tasks and knowledge work.",
    capabilities: ['text', 'vision', 'tool_use', 'structured_output', 'web_search', 'code_execution'],
    context_window: 199_000,
    max_output_tokens: 32_000,
    reasons: true,
    input_cost_per_million_cents: 200,
    output_cost_per_million_cents: 600,
    cache_read_cost_per_million_cents: 50,
    ...tools,
  },
  {
    model_id: 'grok-4.3',
    display_name: 'Grok 4.3',
    provider: 'xai',
    description: 'Everyday reasoning at a lower price.',
    capabilities: ['text', 'vision', 'tool_use', 'structured_output', 'web_search', 'code_execution'],
    context_window: 199_000,
    max_output_tokens: 30_000,
    reasons: true,
    input_cost_per_million_cents: 125,
    output_cost_per_million_cents: 250,
    cache_read_cost_per_million_cents: 20,
    ...tools,
  },
  {
    model_id: 'grok-build-0.1',
    display_name: 'Grok Build 0.1',
    provider: 'xai',
    description: 'Made for code.',
    capabilities: ['text', 'vision', 'tool_use', 'structured_output'],
    context_window: 199_000,
    max_output_tokens: 32_000,
    input_cost_per_million_cents: 100,
    output_cost_per_million_cents: 200,
    cache_read_cost_per_million_cents: 20,
  },
  {
    model_id: 'grok-imagine-image',
    display_name: 'Grok Imagine Image',
    provider: 'xai',
    description: 'Image generation at a flat price.',
    capabilities: ['image_generation'],
    context_window: 8_000,
    max_output_tokens: 0,
    price_per_image_cents: 2,
  },
];
