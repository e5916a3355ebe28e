import { z } from 'zod';
import { queryInteger } from '../values/paging.js';

/** Abilities of models, as `GET /models?capability=` takes them. */
export const modelCapabilities = [
  'text',
  'vision',
  'document',
  'audio',
  'tool_use',
  'structured_output',
  'web_search',
  'code_execution',
  'image_generation',
] as const;

export const listModelsQuery = z.object({
  provider: z.string().max(128).optional(),
  capability: z.enum(modelCapabilities).optional(),
});

/** A model of the catalog. A price that is absent means that the model is not sold by that unit. */
export const modelSchema = z.object({
  model_id: z.string(),
  display_name: z.string(),
  provider: z.string(),
  description: z.string(),
  capabilities: z.array(z.enum(modelCapabilities)),
  context_window: z.int(),
  max_output_tokens: z.int(),
  training_cutoff: z.string().optional(),
  deprecated: z.boolean(),
  deprecation_message: z.string().optional(),
  /** Output of the model if it is neither text nor images. */
  serves: z.enum(['embeddings', 'moderation', 'speech', 'transcription', 'realtime']).optional(),
  /** Unit of the prices per million, if it is not tokens. */
  metered_in: z.enum(['tokens', 'characters', 'seconds']).optional(),
  input_cost_per_million_cents: z.int().optional(),
  output_cost_per_million_cents: z.int().optional(),
  /** Prices of tokens of speech and of images, where they differ from those of text. */
  audio_input_cost_per_million_cents: z.int().optional(),
  image_input_cost_per_million_cents: z.int().optional(),
  audio_output_cost_per_million_cents: z.int().optional(),
  price_per_image_cents: z.int().optional(),
});

export const listModelsResponse = z.object({ models: z.array(modelSchema) });

/** A provider that can serve a model. */
export const modelRouteSchema = z.object({
  model_id: z.string(),
  provider: z.string(),
  upstream_model: z.string().meta({ description: "the provider's name of the model" }),
  circuit: z.enum(['closed', 'open', 'half_open']).or(z.string()).meta({
    description: 'closed: in use. open: avoided, because it failed. half_open: one request is trying it again',
  }),
  failures: z.int().min(0).meta({ description: 'consecutive failures' }),
  since: z.iso
    .datetime()
    .optional()
    .meta({ description: 'when the circuit came into this state; none: it never changed' }),
  next_probe_at: z.iso.datetime().optional().meta({ description: 'when a request may try an avoided route again' }),
});

export const modelRoutesResponse = z.object({ routes: z.array(modelRouteSchema) });

/** A model as client libraries of OpenAI's dialect list it, with the fields that routers over many models add. */
export const compatibleModelSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  context_length: z.int(),
  architecture: z.object({ input_modalities: z.array(z.string()), output_modalities: z.array(z.string()) }),
  supported_parameters: z.array(z.string()),
});

export const listCompatibleModelsResponse = z.object({
  object: z.literal('list'),
  data: z.array(compatibleModelSchema),
});

/** Paging of Anthropic's model list; OpenAI's has none. */
export const listAnthropicModelsQuery = z.object({
  limit: queryInteger(1, 1000).default(20),
  after_id: z.string().max(256).optional(),
  before_id: z.string().max(256).optional(),
});

export type ListAnthropicModelsQuery = z.output<typeof listAnthropicModelsQuery>;
export type Model = z.output<typeof modelSchema>;
export type CompatibleModel = z.output<typeof compatibleModelSchema>;

/** A session of the Realtime API names its model in the address. */
export const realtimeQuery = z.object({ model: z.string().min(1).max(128) });
