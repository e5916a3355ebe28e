import type { ModalityTokens, RealtimeTokens } from '@tollgate/catalog';
import { isJsonObject, type JsonObject } from '@tollgate/runtime/json-object';
import { toChild } from './json.js';

/** The vendor's report of one response. */
export interface ResponseUsage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  tokens: RealtimeTokens;
}

/**
 * Reads `usage` of `response.done`. Tokens without details are those of text. Returns undefined when the vendor reports none,
 * or no counts.
 *
 * Source: RealtimeResponseUsage in the `openai` client library 6.49.
 */
export function readResponseUsage(usage: unknown): ResponseUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const inputTotal = toCount(usage.input_tokens);
  const outputTotal = toCount(usage.output_tokens);
  if (inputTotal === undefined || outputTotal === undefined) return undefined;
  const inputDetails = toChild(usage, 'input_token_details');
  const input = readModalities(inputDetails, inputTotal);
  const output = readModalities(toChild(usage, 'output_token_details'), outputTotal);
  const cached = readCached(inputDetails, input);
  return {
    inputTokens: sum(input),
    outputTokens: sum(output),
    cachedTokens: sum(cached),
    tokens: { input, cached, output },
  };
}

function readModalities(details: JsonObject, total: number): ModalityTokens {
  const audio = toCount(details.audio_tokens) ?? 0;
  const image = toCount(details.image_tokens) ?? 0;
  const text = toCount(details.text_tokens) ?? 0;
  return { audio, image, text: Math.max(text, total - audio - image) };
}

/** Cached tokens without details are those of text: the others cost more, so nothing is charged too little. */
function readCached(details: JsonObject, input: ModalityTokens): ModalityTokens {
  const cached = toChild(details, 'cached_tokens_details');
  const audio = Math.min(toCount(cached.audio_tokens) ?? 0, input.audio);
  const image = Math.min(toCount(cached.image_tokens) ?? 0, input.image);
  const total = toCount(details.cached_tokens) ?? 0;
  const text = Math.min(Math.max(toCount(cached.text_tokens) ?? 0, total - audio - image), input.text);
  return { audio, image, text };
}

function sum({ text, audio, image }: ModalityTokens): number {
  return text + audio + image;
}

function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
