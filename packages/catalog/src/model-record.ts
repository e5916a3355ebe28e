import { z } from 'zod';
import { connectionId } from './connections/connection-id.js';

/**
 * The providers that models and connections belong to. `custom`: a connection to any other server. `sandbox` answers without
 * network and exists only when switched on.
 */
export const providerIds = ['openai', 'anthropic', 'google-ai-studio', 'xai', 'custom', 'sandbox'] as const;

/** A provider identifier of the contract. */
export type ProviderId = (typeof providerIds)[number];

/** The closed set of a model's capabilities. */
export const capabilities = [
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

/** One of the closed set of capabilities. */
export type Capability = (typeof capabilities)[number];

/** How a model's tokens can be counted without asking its provider. */
export const tokenizers = ['sandbox', 'o200k', 'bytes'] as const;

/** `sandbox`: the sandbox's exact rule; `o200k`: OpenAI's published vocabulary; `bytes`: unknown, byte-level at worst. */
export type TokenizerId = (typeof tokenizers)[number];

/**
 * Output of a model if it is neither text nor images: such models have endpoints of their own and no
 * capability of the closed set.
 */
export const mediaKinds = ['embeddings', 'moderation', 'speech', 'transcription', 'realtime'] as const;

/** A kind of output other than text and images. */
export type MediaKind = (typeof mediaKinds)[number];

/**
 * The unit that input and output are counted and priced in. Characters are code points of the text that is spoken or moderated;
 * seconds are those of the recording, rounded up.
 */
export const meteredUnits = ['tokens', 'characters', 'seconds'] as const;

/** One of the units of metering. */
export type MeteredUnit = (typeof meteredUnits)[number];

/**
 * `ordered`: as they are listed. `weighted`: each gets its share of the requests. `fastest`: the route whose streams have lately
 * started first.
 */
export const routeChoices = ['ordered', 'weighted', 'fastest'] as const;

/** How the first route of a request is chosen. */
export type RouteChoice = (typeof routeChoices)[number];

const cents = z.int().min(0);
const tokenCount = z.int().min(0);
/** Prices that depend on a request. Those that are left out are the model's own. */
const rates = {
  input_cost_per_million_cents: cents.optional(),
  output_cost_per_million_cents: cents.optional(),
  cache_read_cost_per_million_cents: cents.optional(),
  cache_write_cost_per_million_cents: cents.optional(),
  cache_write_1h_cost_per_million_cents: cents.optional(),
};
/** Prices of all tokens of a request with more input than `above_input_tokens`. */
const longContext = z.strictObject({ above_input_tokens: tokenCount, ...rates });
const serviceTierName = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'must be letters, digits and _ . -');
const serviceTiers = z.record(serviceTierName, z.strictObject({ ...rates, long_context: longContext.optional() }));
const fees = {
  search_cost_per_thousand_cents: cents.optional(),
  code_run_cost_per_thousand_cents: cents.optional(),
  request_cost_per_thousand_cents: cents.optional(),
};
const routePrices = z.strictObject({
  ...rates,
  ...fees,
  long_context: longContext.optional(),
  service_tiers: serviceTiers.optional(),
});
const modelId = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:/-]*$/, 'must be letters, digits and . _ : / -');

/**
 * Schema of one catalog entry, for a set of provider names. Fields are snake_case because the entry is also the public
 * record. A price that is left out makes the model unpriced for that kind of use; 0 is a price and means free.
 */
export function modelRecordSchema(providers: readonly string[]) {
  const provider = z.string().refine((name) => providers.includes(name), `must be one of ${providers.join(', ')}`);
  return z.strictObject({
    model_id: modelId,
    /** Other ids of the same model, such as that of its dated release. */
    aliases: z.array(modelId).max(16).default([]),
    display_name: z.string().min(1).max(128),
    provider,
    description: z.string().max(1000).default(''),
    capabilities: z.array(z.enum(capabilities)).refine((all) => new Set(all).size === all.length, 'must not repeat'),
    /** Tokens that fit; where a vendor charges long prompts more and `long_context` is absent, the length up to which prices hold. */
    context_window: tokenCount,
    max_output_tokens: tokenCount,
    /** Whether it reasons before it answers, in tokens of its output. */
    reasons: z.boolean().default(false),
    training_cutoff: z
      .string()
      .regex(/^\d{4}-\d{2}(-\d{2})?$/, 'must be YYYY-MM or YYYY-MM-DD')
      .optional(),
    deprecated: z.boolean().default(false),
    deprecation_message: z.string().max(500).optional(),
    /** The model is no longer served: requests that name it are refused, with the id to use instead. */
    retired: z.strictObject({ use: modelId.optional() }).optional(),
    serves: z.enum(mediaKinds).optional(),
    /** Prices per million are per million of this unit. */
    metered_in: z.enum(meteredUnits).default('tokens'),
    input_cost_per_million_cents: cents.optional(),
    output_cost_per_million_cents: cents.optional(),
    /** Input tokens read from the provider's prompt cache; absent: they cost the input price. */
    cache_read_cost_per_million_cents: cents.optional(),
    /** Input tokens written to the provider's prompt cache; absent: they cost the input price. */
    cache_write_cost_per_million_cents: cents.optional(),
    /** Those that it keeps for an hour; absent: that is not offered. */
    cache_write_1h_cost_per_million_cents: cents.optional(),
    /** Of tokens of speech that the model reads, if they cost more than those of text. */
    audio_input_cost_per_million_cents: cents.optional(),
    /** Of tokens of images that it reads, if they cost more than those of text. */
    image_input_cost_per_million_cents: cents.optional(),
    /** Of tokens of speech that it writes, if they cost more than those of text. */
    audio_output_cost_per_million_cents: cents.optional(),
    price_per_image_cents: cents.optional(),
    /** The vendor's fee for a thousand searches of its own; absent: such searches are not offered. */
    search_cost_per_thousand_cents: cents.optional(),
    /** The vendor's fee for a thousand runs of code on its side; absent: that is not offered. */
    code_run_cost_per_thousand_cents: cents.optional(),
    /** The vendor's fee for a thousand requests, in addition to their tokens. */
    request_cost_per_thousand_cents: cents.optional(),
    long_context: longContext.optional(),
    /** Prices by the vendor's name of a service tier, such as `flex`. Requests may ask for no other dearer tier. */
    service_tiers: serviceTiers.optional(),
    /** Whether a model of embeddings takes Google's hints `taskType` and `title`. */
    takes_task_type: z.boolean().optional(),
    /** Units of an account's request quota that a request counts for; absent: one. */
    quota_units: z.int().min(0).max(1_000_000).optional(),
    /** How the first route of a request is chosen; the others follow in their order. Absent: `ordered`. */
    routing: z.enum(routeChoices).optional(),
    routes: z.array(routeSchema(provider)).min(1).max(8),
    tokenizer: z.enum(tokenizers).default('bytes'),
    /** Tokens that the chat template of its server adds to a prompt, at most; the vendors add none beyond the estimate. */
    prompt_overhead_tokens: z.int().min(0).max(100_000).default(0),
  });
}

/**
 * The routes of a model are tried until one answers with its first byte. A route without a connection takes the default connection of
 * its provider. `provider` is what `provider/model` narrows to.
 */
function routeSchema(provider: z.ZodString) {
  return z.strictObject({
    provider,
    connection: connectionId.optional(),
    upstream_model: z.string().min(1).max(200),
    /** Of `weighted` routing; absent: 1. */
    weight: z.int().min(0).max(1_000).optional(),
    /** Prices of the vendor at this route; absent ones are those of the model. */
    prices: routePrices.optional(),
  });
}

/** A complete catalog entry. */
export type CatalogModel = Readonly<z.output<ReturnType<typeof modelRecordSchema>>>;

/** A catalog entry as written in a data file: fields with a default are optional. */
export type CatalogModelInput = Omit<z.input<ReturnType<typeof modelRecordSchema>>, 'provider' | 'routes'> & {
  provider: ProviderId;
  routes?: {
    provider: ProviderId;
    connection?: string;
    upstream_model: string;
    weight?: number;
    prices?: RoutePrices;
  }[];
};

/** Prices of a vendor at one route of a model, in cents; absent ones are those of the model. */
export type RoutePrices = z.output<typeof routePrices>;

/** Where a request for the model may be sent. */
export type ModelRoute = CatalogModel['routes'][number];

/** Returns the connection that a route names, or the default connection of its provider, which has the provider's name. */
export function toConnectionId({ connection, provider }: Pick<ModelRoute, 'connection' | 'provider'>): string {
  return connection ?? provider;
}
