import type { ProviderId } from '@tollgate/api/model-requests';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import { ProviderFailure } from '../../../domain/provider-failure.js';
import type { MediaUsage } from '../../contract/media-provider.js';
import { count, isObject, parseObject } from '../../convert/answer-reading.js';
import { Utf8Text } from '../../transport/utf8-text.js';
import { toStreamFailure } from '../upstream-error.js';

const EVENT_CHARS_MAX = 8 * 1024 * 1024;

/**
 * Extracts audio from a stream of events, and usage from its last one. The runtime's `Channel` does not fit: the source is
 * read only when the reader asks, so at most the audio of one chunk waits here.
 *
 * Source: `speech.audio.delta` and `speech.audio.done` of developers.openai.com/api/reference (audio, streaming events).
 */
export class SpeechEvents implements AsyncIterableIterator<Uint8Array> {
  readonly #provider: ProviderId;
  readonly #providerRequestId: string | undefined;
  readonly #source: AsyncIterableIterator<Uint8Array>;
  readonly #text = new Utf8Text();
  readonly #parser: EventSourceParser;
  readonly #audio: Buffer[] = [];
  #hasEnded = false;
  #failure: ProviderFailure | undefined;
  readonly #estimate: MediaUsage;
  #usage: MediaUsage;

  /** `estimate` is charged if the provider reports no usage. */
  constructor(
    provider: ProviderId,
    providerRequestId: string | undefined,
    source: AsyncIterableIterator<Uint8Array>,
    estimate: MediaUsage,
  ) {
    this.#provider = provider;
    this.#providerRequestId = providerRequestId;
    this.#source = source;
    this.#estimate = estimate;
    this.#usage = estimate;
    this.#parser = createParser({
      onEvent: ({ data }) => this.#receive(data),
      onError: (error) => error.type === 'max-buffer-size-exceeded' && this.#fail('invalid_response', error),
      maxBufferSize: EVENT_CHARS_MAX,
    });
  }

  get usage(): MediaUsage {
    return this.#usage;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    for (;;) {
      const audio = this.#audio.shift();
      if (audio) return { done: false, value: audio };
      if (this.#failure) throw this.#failure;
      const { done, value } = await this.#source.next();
      if (!done) this.#parser.feed(this.#text.decode(Buffer.from(value)));
      else if (this.#hasEnded) return { done: true, value: undefined };
      else this.#fail('transport', new Error('the speech stream ended without its final event'));
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    await this.#source.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #receive(data: string): void {
    if (this.#hasEnded || this.#failure || data === '' || data === '[DONE]') return;
    const event = parseObject(data);
    if (event?.type === 'speech.audio.delta' && typeof event.audio === 'string') {
      this.#audio.push(Buffer.from(event.audio, 'base64'));
    } else if (event?.type === 'speech.audio.done') {
      this.#hasEnded = true;
      const usage = isObject(event.usage) ? event.usage : {};
      const inputUnits = count(usage.input_tokens);
      const outputUnits = count(usage.output_tokens);
      if (inputUnits !== undefined && outputUnits !== undefined) {
        this.#usage = { inputUnits, outputUnits, isEstimated: false, estimate: this.#estimate };
      }
    } else if (!event) {
      this.#fail('invalid_response');
    } else if (event.error || event.type === 'error') {
      this.#failure = toStreamFailure(this.#provider, event, this.#providerRequestId);
    }
  }

  #fail(kind: 'transport' | 'invalid_response', cause?: unknown): void {
    const [provider, providerRequestId] = [this.#provider, this.#providerRequestId];
    this.#failure ??= new ProviderFailure({ kind, provider, providerRequestId, cause });
  }
}
