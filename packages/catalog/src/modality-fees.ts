import type { CatalogModel } from './model-record.js';

/** Tokens by what they stand for. */
export interface ModalityTokens {
  text: number;
  audio: number;
  image: number;
}

/** Tokens of one response of a model that hears and speaks. */
export interface RealtimeTokens {
  input: ModalityTokens;
  /** The part of `input` that the vendor has read from its cache. */
  cached: ModalityTokens;
  output: ModalityTokens;
}

export const NO_TOKENS: Readonly<ModalityTokens> = { text: 0, audio: 0, image: 0 };

/**
 * What audio and images cost above the price of text, in input tokens that cost as much, rounded up: so the cost of a response
 * is only its tokens times their prices. Cached tokens cost the price of input, as everywhere, also those of audio and images.
 */
export function modalityFeeTokens(model: CatalogModel, { input, cached, output }: RealtimeTokens): number {
  const textIn = model.input_cost_per_million_cents ?? 0;
  const textOut = model.output_cost_per_million_cents ?? 0;
  if (textIn === 0) return 0;
  const excess =
    uncached(input.audio, cached.audio) * above(model.audio_input_cost_per_million_cents, textIn) +
    uncached(input.image, cached.image) * above(model.image_input_cost_per_million_cents, textIn) +
    output.audio * above(model.audio_output_cost_per_million_cents, textOut);
  return Math.ceil(excess / textIn);
}

/** Returns exactly what the vendor charges for a response, in microcents. */
export function realtimeCostMicrocents(model: CatalogModel, { input, cached, output }: RealtimeTokens): bigint {
  const textIn = model.input_cost_per_million_cents ?? 0;
  const textOut = model.output_cost_per_million_cents ?? 0;
  const read = model.cache_read_cost_per_million_cents;
  const ofInput = (kind: keyof ModalityTokens, price: number): number =>
    uncached(input[kind], cached[kind]) * price + Math.min(cached[kind], input[kind]) * (read ?? textIn);
  return BigInt(
    ofInput('text', textIn) +
      ofInput('audio', model.audio_input_cost_per_million_cents ?? textIn) +
      ofInput('image', model.image_input_cost_per_million_cents ?? textIn) +
      (output.text + output.image) * textOut +
      output.audio * (model.audio_output_cost_per_million_cents ?? textOut),
  );
}

function uncached(tokens: number, cached: number): number {
  return Math.max(0, tokens - cached);
}

function above(price: number | undefined, textPrice: number): number {
  return Math.max(0, (price ?? textPrice) - textPrice);
}
