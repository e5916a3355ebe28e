import type { CatalogModelInput } from '../model-record.js';

// Reviewed 2026-11-20 against Google's pages: ai.google.dev/gemini-api/docs/pricing (as read on 2026-10-07 by
// github.com/api-evangelist, older models by models.dev), /docs/models and /docs/deprecations.
// Paid tier, cents per million tokens of text; fractions of a cent are rounded up. Models whose audio costs more than text
// do not offer audio here.
// Grounding with Google Search: $14 for a thousand queries since Gemini 3, $35 for a thousand requests before; free
// allowances are not passed on. Code that runs at Google costs its tokens only.
const tools = { search_cost_per_thousand_cents: 1_400, code_run_cost_per_thousand_cents: 0 };
const olderTools = { ...tools, search_cost_per_thousand_cents: 3_500 };

export const googleModels: CatalogModelInput[] = [
  // Introductory price until 2026-12-31; from 2027-01-01 it doubles: 150 input, 750 output, 15 cache read.
  {
    model_id: 'gemini-3.8-flash',
    display_name: 'Gemini 3.8 Flash',
    provider: 'google-ai-studio',
    description: "Google's most capable Flash model, for long-horizon coding and agents.",
    capabilities: ['text', 'vision', 'document', 'tool_use', 'structured_output', 'web_search', 'code_execution'],
    context_window: 1_048_576,
    max_output_tokens: 65_536,
    input_cost_per_million_cents: 75,
    output_cost_per_million_cents: 375,
    cache_read_cost_per_million_cents: 8,
    ...tools,
  },
  {
    model_id: 'gemini-3.5-flash',
    display_name: 'Gemini 3.5 Flash',
    provider: 'google-ai-studio',
    description: 'Fast multimodal reasoning.',
    capabilities: [
      'text',
      'vision',
      'document',
      'audio',
      'tool_use',
      'structured_output',
      'web_search',
      'code_execution',
    ],
    context_window: 1_048_576,
    max_output_tokens: 65_536,
    training_cutoff: '2025-01',
    input_cost_per_million_cents: 150,
    output_cost_per_million_cents: 900,
    cache_read_cost_per_million_cents: 15,
    ...tools,
  },
  // Prompts over 200,000 tokens cost double, so the window offered here ends there.
  {
    model_id: 'gemini-3.1-pro-preview',
    display_name: 'Gemini 3.1 Pro Preview',
    provider: 'google-ai-studio',
    description: 'For complex reasoning over text, images, audio and documents.',
    capabilities: [
      'text',
      'vision',
      'document',
      'audio',
      'tool_use',
      'structured_output',
      'web_search',
      'code_execution',
    ],
    context_window: 200_000,
    max_output_tokens: 65_536,
    training_cutoff: '2025-01',
    input_cost_per_million_cents: 200,
    output_cost_per_million_cents: 1200,
    cache_read_cost_per_million_cents: 20,
    ...tools,
  },
  {
    model_id: 'gemini-3.1-flash-lite',
    display_name: 'Gemini 3.1 Flash Lite',
    provider: 'google-ai-studio',
    description: 'Low-cost, high-volume text and image work.',
    capabilities: ['text', 'vision', 'document', 'tool_use', 'structured_output', 'web_search', 'code_execution'],
    context_window: 1_048_576,
    max_output_tokens: 65_536,
    training_cutoff: '2025-01',
    input_cost_per_million_cents: 25,
    output_cost_per_million_cents: 150,
    cache_read_cost_per_million_cents: 3,
    ...tools,
  },
  {
    model_id: 'gemini-3.5-flash-lite',
    display_name: 'Gemini 3.5 Flash-Lite',
    provider: 'google-ai-studio',
    description: 'Fast and cheap; audio costs no more than text.',
    capabilities: [
      'text',
      'vision',
      'document',
      'audio',
      'tool_use',
      'structured_output',
      'web_search',
      'code_execution',
    ],
    context_window: 1_048_576,
    max_output_tokens: 65_536,
    input_cost_per_million_cents: 30,
    output_cost_per_million_cents: 250,
    ...tools,
  },
  {
    model_id: 'gemini-2.5-flash-lite',
    display_name: 'Gemini 2.5 Flash-Lite',
    provider: 'google-ai-studio',
    description: 'The cheapest Gemini model.',
    capabilities: ['text', 'vision', 'document', 'tool_use', 'structured_output', 'web_search', 'code_execution'],
    context_window: 1_048_576,
    max_output_tokens: 65_536,
    training_cutoff: '2025-01',
    input_cost_per_million_cents: 10,
    output_cost_per_million_cents: 40,
    cache_read_cost_per_million_cents: 1,
    ...olderTools,
  },
  // $30 for a million tokens of image, 1,120 tokens at 1K: $0.0336, and a little for the prompt.
  {
    model_id: 'gemini-nano-banana-2.1',
    display_name: 'Nano Banana 2.1',
    provider: 'google-ai-studio',
    description: 'Image generation at 1K resolution.',
    capabilities: ['image_generation'],
    context_window: 32_768,
    max_output_tokens: 0,
    price_per_image_cents: 4,
  },
];
