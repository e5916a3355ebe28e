import type { CatalogModel } from './model-record.js';
import { estimateInputTokens } from './token-estimates.js';

/** Speech at the lowest rate that codecs are used with; anything longer in fewer bytes is charged as overrun. */
const AUDIO_BYTES_PER_SECOND_MIN = 1_000;
/** Upper bound of audio tokens per second, for vendors that count recordings in tokens. */
const AUDIO_TOKENS_PER_SECOND = 25;
/** Tokens of speech per character of its text: about one and a half on average. */
const SPEECH_TOKENS_PER_CHARACTER = 4;
/** Tokens of a transcript per second of a recording; fast speakers reach five. */
const TRANSCRIPT_TOKENS_PER_SECOND = 8;

/** Units of a media request that a hold has to cover, in the model's metered unit; settled as input and output tokens. */
export interface MediaEstimate {
  inputUnits: number;
  outputUnits: number;
}

/**
 * Upper bound of the units for speaking a text as `instructions` say. Exact for models that are metered in characters,
 * which take no instructions.
 */
export function estimateSpeech(model: CatalogModel, text: string, instructions = ''): MediaEstimate {
  const characters = countCharacters(text);
  if (model.metered_in === 'characters') return { inputUnits: characters, outputUnits: 0 };
  const inputUnits = Buffer.byteLength(text) + Buffer.byteLength(instructions);
  return { inputUnits, outputUnits: characters * SPEECH_TOKENS_PER_CHARACTER };
}

/** Upper bound of the units for transcribing a recording, by its size; `hints` is the text of the request. */
export function estimateTranscription(model: CatalogModel, bytes: number, hints = ''): MediaEstimate {
  return estimateTranscribedSeconds(model, Math.ceil(bytes / AUDIO_BYTES_PER_SECOND_MIN), hints);
}

/** Upper bound of the units for transcribing so many seconds of speech; `hints` is the text that guides the model. */
export function estimateTranscribedSeconds(model: CatalogModel, seconds: number, hints = ''): MediaEstimate {
  if (model.metered_in === 'seconds') return { inputUnits: seconds, outputUnits: 0 };
  const inputUnits = seconds * AUDIO_TOKENS_PER_SECOND + Buffer.byteLength(hints);
  return { inputUnits, outputUnits: seconds * TRANSCRIPT_TOKENS_PER_SECOND };
}

/**
 * Upper bound of the units of texts or token lists that are embedded, each up to the model's window. A list of numbers is a
 * list of tokens.
 */
export function estimateEmbeddings(
  model: CatalogModel,
  input: string | readonly string[] | readonly number[] | readonly (readonly number[])[],
): MediaEstimate {
  const isOne = typeof input === 'string' || typeof input[0] === 'number';
  let inputUnits = 0;
  for (const each of (isOne ? [input] : input) as (string | readonly number[])[]) {
    inputUnits += typeof each === 'string' ? estimateInputTokens(model, each) : each.length;
  }
  return { inputUnits, outputUnits: 0 };
}

/** Units of a moderated input: a text, texts, or parts with texts and images. Exact for models metered in characters. */
export function estimateModeration(model: CatalogModel, input: unknown): MediaEstimate {
  const count = model.metered_in === 'characters' ? countCharacters : Buffer.byteLength;
  const texts: readonly unknown[] = Array.isArray(input) ? input : [input];
  let inputUnits = 0;
  for (const item of texts) {
    const text = typeof item === 'string' ? item : (item as { text?: unknown } | null)?.text;
    if (typeof text === 'string') inputUnits += count(text);
  }
  return { inputUnits, outputUnits: 0 };
}

/** Code points of a text. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _codePoint of text) count++;
  return count;
}
