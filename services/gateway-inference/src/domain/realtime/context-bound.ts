import type { ModalityTokens } from '@tollgate/catalog';
import { isJsonObject, type JsonObject } from '@tollgate/runtime/json-object';
import type { ResponseUsage } from './response-usage.js';

/** The vendor counts one token for this much speech of a user. */
const MS_PER_AUDIO_TOKEN = 100;
/** The vendor's most expensive image, at full resolution. */
const TOKENS_PER_IMAGE_MAX = 16_384;
/** Markup of an item, and what the vendor adds to a response by itself. */
const TOKENS_PER_ITEM = 64;
/** Bytes of a millisecond of speech: 24,000 samples of two bytes a second, or 8,000 of one. */
const PCM_BYTES_PER_MS = 48;
const G711_BYTES_PER_MS = 8;

/**
 * The most that the model can read for the next response: what it read for the last one, by the vendor's own count, and
 * everything since. Text counts one token for each byte, which bounds every vocabulary. Pure.
 */
export class ContextBound {
  readonly #window: number;
  /** Read for the last response, with its output. */
  #base: ModalityTokens;
  /** Added since the last response was asked for. */
  #added: ModalityTokens = { text: 0, audio: 0, image: 0 };
  #bytesPerMs = PCM_BYTES_PER_MS;
  /** Speech that the client has sent, and how much of it is in items. */
  #sentMs = 0;
  #committedMs = 0;

  constructor(window: number, initialText: string) {
    this.#window = window;
    this.#base = { text: Buffer.byteLength(initialText) + TOKENS_PER_ITEM, audio: 0, image: 0 };
  }

  /** Counts what an event adds: texts, recordings and images in it. */
  add(event: JsonObject): void {
    this.#added = plus(this.#added, measure(event, this.#bytesPerMs));
  }

  /** Takes a format of the client's speech. Counts by the denser one from then on: events in flight may have either. */
  takeFormat(type: unknown): void {
    if (type !== undefined && type !== 'audio/pcm') this.#bytesPerMs = G711_BYTES_PER_MS;
  }

  /** Speech in the client's buffer, in base64. Returns its length in milliseconds. */
  appendAudio(base64: string): number {
    const ms = toBytes(base64) / this.#bytesPerMs;
    this.#sentMs += ms;
    return ms;
  }

  /** All speech so far, or the part up to this millisecond of the session, becomes an item or is dropped. */
  commit(untilMs = this.#sentMs): void {
    const until = Math.min(Math.max(untilMs, this.#committedMs), this.#sentMs);
    this.#added.audio += toTokens(until - this.#committedMs) + TOKENS_PER_ITEM;
    this.#committedMs = until;
  }

  /** The response has been asked for: what was added before is part of it. */
  asked(): void {
    this.#base = plus(this.#base, this.#added);
    this.#added = { text: 0, audio: 0, image: 0 };
  }

  /** Takes the vendor's count of a response in the conversation; without one, its bound of the output. */
  ended(usage: ResponseUsage | undefined, outputTokensMax: number): void {
    const margin = { text: TOKENS_PER_ITEM, audio: 0, image: 0 };
    this.#base = usage
      ? plus(plus(usage.tokens.input, usage.tokens.output), margin)
      : plus(this.#base, { ...margin, audio: outputTokensMax });
  }

  /** Takes the output of a response with an input of its own. */
  addOutput(outputTokensMax: number): void {
    this.#added.audio += outputTokensMax;
  }

  /** The bound, for a response that also reads `more`. Beyond the model's window, the most expensive tokens are kept. */
  tokens(more: JsonObject = {}): ModalityTokens {
    const buffered = { text: 0, audio: toTokens(this.#sentMs - this.#committedMs), image: 0 };
    const all = [this.#added, buffered, measure(more, this.#bytesPerMs)].reduce(plus, this.#base);
    const audio = Math.min(all.audio, this.#window);
    const image = Math.min(all.image, this.#window - audio);
    return { audio, image, text: Math.min(all.text, this.#window - audio - image) };
  }
}

function measure(value: unknown, bytesPerMs: number): ModalityTokens {
  if (typeof value === 'string') return { text: Buffer.byteLength(value), audio: 0, image: 0 };
  if (Array.isArray(value)) {
    return value.map((each) => measure(each, bytesPerMs)).reduce(plus, { text: 1, audio: 0, image: 0 });
  }
  if (!isJsonObject(value)) return { text: value === undefined ? 0 : 8, audio: 0, image: 0 };
  let all: ModalityTokens = { text: Object.keys(value).length === 0 ? 0 : TOKENS_PER_ITEM, audio: 0, image: 0 };
  for (const [name, member] of Object.entries(value)) {
    all.text += Buffer.byteLength(name);
    if (name === 'audio' && typeof member === 'string') {
      all.audio += toTokens(toBytes(member) / bytesPerMs);
    } else if (name === 'image_url') {
      all.image += TOKENS_PER_IMAGE_MAX;
    } else {
      all = plus(all, measure(member, bytesPerMs));
    }
  }
  return all;
}

function plus(one: ModalityTokens, other: ModalityTokens): ModalityTokens {
  return { text: one.text + other.text, audio: one.audio + other.audio, image: one.image + other.image };
}

function toTokens(ms: number): number {
  return Math.ceil(ms / MS_PER_AUDIO_TOKEN);
}

function toBytes(base64: string): number {
  return Math.ceil((base64.length * 3) / 4);
}
