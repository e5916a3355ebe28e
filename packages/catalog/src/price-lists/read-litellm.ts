import { joinReleases } from './join-releases.js';
import { isObject, type Json, perMillion, perThousand, toPriceFields, withoutUndefined } from './list-values.js';
import { type ListedModel, type ReadList, vendors } from './listed-model.js';

/** LiteLLM's modes of models that answer requests of ours, with the output that they have other than text. */
const MODES: Record<string, ListedModel['serves'] | 'text' | 'images'> = {
  chat: 'text',
  responses: 'text',
  embedding: 'embeddings',
  image_generation: 'images',
  moderation: 'moderation',
  audio_speech: 'speech',
  audio_transcription: 'transcription',
  realtime: 'realtime',
};

/** Names of LiteLLM's price fields, without the suffix of a tier. */
const RATES = {
  input_cost_per_million_cents: 'input_cost_per_token',
  output_cost_per_million_cents: 'output_cost_per_token',
  cache_read_cost_per_million_cents: 'cache_read_input_token_cost',
  cache_write_cost_per_million_cents: 'cache_creation_input_token_cost',
  cache_write_1h_cost_per_million_cents: 'cache_creation_input_token_cost_above_1hr',
} as const;

/** Our names of service tiers, by LiteLLM's suffix. */
const TIERS = { flex: '_flex', priority: '_priority', batch: '_batches' } as const;

/** Lists whose models may search the web by our own requests; other vendors have no such request here. */
const SEARCHING = new Set(['openai', 'anthropic', 'google-ai-studio', 'xai']);

/**
 * Reads one vendor's models from LiteLLM's `model_prices_and_context_window.json`. A model with a unit that the catalog does not
 * have is left out by name; a date of retirement before `today` makes it retired.
 *
 * @throws RangeError for an unknown vendor
 */
export function readLitellm(file: Json, list: string, today: string): ReadList {
  const vendor = vendors[list];
  if (!vendor) throw new RangeError(`unknown vendor ${list}; known are ${Object.keys(vendors).join(', ')}`);
  const read: ReadList = { models: [], skipped: [], retired: [] };
  const seen = new Set<string>();
  for (const [key, entry] of Object.entries(file)) {
    if (!isObject(entry) || !vendor.litellm.includes(String(entry.litellm_provider))) continue;
    const id = toVendorName(key, String(entry.litellm_provider));
    if (seen.has(id) || vendor.leavesOut?.test(id) || entry.alias_of !== undefined) continue;
    seen.add(id);
    const endsOn = typeof entry.deprecation_date === 'string' ? entry.deprecation_date : undefined;
    if (endsOn !== undefined && endsOn <= today) {
      const use = typeof entry.successor_model === 'string' ? toVendorName(entry.successor_model) : undefined;
      read.retired.push({ model_id: id, ...(use !== undefined && { use }) });
      continue;
    }
    const model = toModel(id, entry, list);
    if (typeof model === 'string') read.skipped.push({ model_id: id, reason: model });
    else read.models.push(endsOn === undefined ? model : withEnd(model, endsOn, entry.successor_model));
  }
  return { ...read, models: joinReleases(read.models) };
}

/** The vendor's own name of a model: LiteLLM prefixes most names with its name of the vendor. */
function toVendorName(key: string, provider?: string): string {
  const slash = key.indexOf('/');
  if (slash < 0) return key;
  const prefix = key.slice(0, slash);
  return provider === undefined || prefix === provider || provider.startsWith(prefix) ? key.slice(slash + 1) : key;
}

function withEnd(model: ListedModel, endsOn: string, successor: unknown): ListedModel {
  const instead = typeof successor === 'string' ? `; use ${toVendorName(successor)}` : '';
  return { ...model, deprecated: true, deprecation_message: `The vendor retires this model on ${endsOn}${instead}.` };
}

/** Returns the model, or why it cannot be taken over. */
function toModel(id: string, entry: Json, list: string): ListedModel | string {
  const kind = MODES[String(entry.mode)];
  if (kind === undefined) return `mode ${String(entry.mode ?? 'unknown')} is not served`;
  const prices =
    kind === 'text' || kind === 'embeddings' || kind === 'realtime' ? tokenPrices(entry) : mediaPrices(entry, kind);
  if (typeof prices === 'string') return prices;
  const bounds = toBounds(entry, kind);
  if (typeof bounds === 'string') return bounds;
  const { context_window: window, ...priced } = prices;
  return withoutUndefined({
    model_id: id,
    capabilities: toCapabilities(entry, kind, list),
    serves: kind === 'text' || kind === 'images' ? undefined : kind,
    ...bounds,
    ...(window !== undefined && { context_window: window }),
    reasons: kind === 'text' && entry.supports_reasoning === true ? true : undefined,
    ...priced,
    search_cost_per_thousand_cents: SEARCHING.has(list) ? searchFee(entry) : undefined,
    request_cost_per_thousand_cents:
      list === 'perplexity' ? requestFee(entry) : perThousand(entry.input_cost_per_request),
  }) as unknown as ListedModel;
}

function toBounds(entry: Json, kind: string): { context_window: number; max_output_tokens: number } | string {
  const window = Number(entry.max_input_tokens ?? entry.max_tokens);
  const known = Number.isSafeInteger(window) && window > 0;
  if (kind === 'text' || kind === 'embeddings') {
    if (!known) return 'the list has no context window';
    const output = Number(entry.max_output_tokens ?? entry.max_tokens ?? window);
    return { context_window: window, max_output_tokens: kind === 'text' ? Math.min(output, window) : 0 };
  }
  const output = kind === 'realtime' || kind === 'transcription' ? Number(entry.max_output_tokens ?? 0) : 0;
  return { context_window: known ? window : DEFAULT_WINDOW, max_output_tokens: output };
}

/** Of models that are not sold by tokens, whose bound the list leaves out. */
const DEFAULT_WINDOW = 32_768;

type Prices = Partial<ListedModel>;

function tokenPrices(entry: Json): Prices | string {
  if (Array.isArray(entry.tiered_pricing)) return steppedPrices(entry.tiered_pricing);
  const base = rates(entry, '');
  if (base.input_cost_per_million_cents === undefined) return 'no price per token';
  if (base.input_cost_per_million_cents === 0 && !base.output_cost_per_million_cents) return 'a price of 0';
  const reasoning = perMillion(entry.output_cost_per_reasoning_token);
  if (reasoning !== undefined && reasoning !== base.output_cost_per_million_cents)
    return 'a price of reasoning of its own';
  const steps = [...new Set(Object.keys(entry).flatMap((key) => STEP.exec(key)?.[1] ?? []))]
    .map(Number)
    .sort((a, b) => a - b);
  const step = steps.length === 1 ? steps[0] : undefined;
  return withoutUndefined({
    ...base,
    output_cost_per_million_cents: base.output_cost_per_million_cents ?? 0,
    audio_input_cost_per_million_cents: perMillion(entry.input_cost_per_audio_token),
    audio_output_cost_per_million_cents: perMillion(entry.output_cost_per_audio_token),
    image_input_cost_per_million_cents:
      entry.mode === 'realtime' ? perMillion(entry.input_cost_per_image_token) : undefined,
    long_context: step && { above_input_tokens: step * 1_000, ...rates(entry, `_above_${step}k_tokens`) },
    // Prices of several steps are not part of the record: the window ends where the first one begins.
    context_window: steps.length > 1 ? steps[0]! * 1_000 : undefined,
    service_tiers: tiers(entry, step),
  });
}

const STEP = /^input_cost_per_token_above_(\d+)k_tokens$/;

function rates(entry: Json, suffix: string): Prices {
  const read = Object.entries(RATES).map(([field, name]) => [field, perMillion(entry[name + suffix])]);
  const found = withoutUndefined(Object.fromEntries(read)) as Prices;
  // A write to the cache that costs nothing is none that the vendor sells.
  if (found.cache_write_cost_per_million_cents === 0) delete found.cache_write_cost_per_million_cents;
  return found;
}

function tiers(entry: Json, step: number | undefined): ListedModel['service_tiers'] {
  const all: NonNullable<ListedModel['service_tiers']> = {};
  for (const [tier, suffix] of Object.entries(TIERS)) {
    const prices = rates(entry, suffix);
    if (prices.input_cost_per_million_cents === undefined || prices.output_cost_per_million_cents === undefined)
      continue;
    const long = step === undefined ? {} : rates(entry, `_above_${step}k_tokens${suffix}`);
    const hasLong = step !== undefined && Object.keys(long).length > 0;
    all[tier] = { ...prices, ...(hasLong && { long_context: { above_input_tokens: step * 1_000, ...long } }) };
  }
  return Object.keys(all).length > 0 ? all : undefined;
}

/** Prices by ranges of the prompt: the first range's, up to its end. */
function steppedPrices(steps: unknown[]): Prices | string {
  const [first] = steps.filter(isObject);
  const range = Array.isArray(first?.range) ? first.range.map(Number) : [];
  if (!first || range.length !== 2) return 'prices by ranges that cannot be read';
  const prices = toPriceFields({
    input: perMillion(first.input_cost_per_token),
    output: perMillion(first.output_cost_per_token),
  });
  if (prices === undefined) return 'no price per token';
  return { ...prices, ...(steps.length > 1 && { context_window: range[1]! }) };
}

function mediaPrices(entry: Json, kind: string): Prices | string {
  if (kind === 'images') {
    const perImage = Number(entry.output_cost_per_image ?? entry.input_cost_per_image);
    return perImage > 0 ? { price_per_image_cents: Math.ceil(perImage * 100 - 1e-9) } : 'no price per image';
  }
  const perCharacter = perMillion(entry.input_cost_per_character);
  if (kind === 'speech' && perCharacter !== undefined) return inUnits('characters', perCharacter);
  const tokens = tokenPrices(entry);
  if (typeof tokens !== 'string') return tokens;
  const perSecond = perMillion(entry.input_cost_per_second ?? entry.output_cost_per_second);
  if (kind === 'transcription' && perSecond !== undefined && perSecond > 0) return inUnits('seconds', perSecond);
  return kind === 'moderation' ? { input_cost_per_million_cents: 0, output_cost_per_million_cents: 0 } : tokens;
}

function inUnits(unit: 'characters' | 'seconds', price: number): Prices {
  return { metered_in: unit, input_cost_per_million_cents: price, output_cost_per_million_cents: 0 };
}

function toCapabilities(entry: Json, kind: string, list: string): ListedModel['capabilities'] {
  if (kind === 'images') return ['image_generation'];
  if (kind !== 'text') return [];
  const audioPrice = perMillion(entry.input_cost_per_audio_token);
  const isAudioText = audioPrice === undefined || audioPrice <= (perMillion(entry.input_cost_per_token) ?? 0);
  const known: [ListedModel['capabilities'][number], unknown][] = [
    ['text', true],
    ['vision', entry.supports_vision],
    ['document', entry.supports_pdf_input],
    ['audio', entry.supports_audio_input === true && isAudioText],
    ['tool_use', entry.supports_function_calling],
    ['structured_output', entry.supports_response_schema],
    ['web_search', SEARCHING.has(list) && entry.supports_web_search && searchFee(entry) !== undefined],
  ];
  return known.flatMap(([name, has]) => (has === true ? [name] : []));
}

/** The medium size of results, which vendors take when a request names none. */
function searchFee({ search_context_cost_per_query: fees }: Json): number | undefined {
  return isObject(fees) ? perThousand(fees.search_context_size_medium) : undefined;
}

/** Perplexity charges each request by the size of its search; the small one is the usual one. */
function requestFee({ search_context_cost_per_query: fees }: Json): number | undefined {
  return isObject(fees) ? perThousand(fees.search_context_size_low) : undefined;
}
