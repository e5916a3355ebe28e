import type { MediaUsage } from '../../contract/media-provider.js';
import { count, isObject } from '../../convert/answer-reading.js';
import { type EventSource, readEvents } from './read-events.js';

/**
 * Extracts audio from a stream of events, and usage from its last one.
 *
 * Source: `speech.audio.delta` and `speech.audio.done` of developers.openai.com/api/reference (audio, streaming events).
 */
export class SpeechEvents {
  readonly #source: Omit<EventSource, 'lastType'>;
  readonly #estimate: MediaUsage;
  #usage: MediaUsage;

  /** `estimate` is charged if the provider reports no usage. */
  constructor(source: Omit<EventSource, 'lastType'>, estimate: MediaUsage) {
    this.#source = source;
    this.#estimate = estimate;
    this.#usage = estimate;
  }

  get usage(): MediaUsage {
    return this.#usage;
  }

  async *audio(): AsyncGenerator<Uint8Array> {
    for await (const event of readEvents({ ...this.#source, lastType: 'speech.audio.done' })) {
      if (event.type === 'speech.audio.delta' && typeof event.audio === 'string') {
        yield Buffer.from(event.audio, 'base64');
      } else if (event.type === 'speech.audio.done') {
        const usage = isObject(event.usage) ? event.usage : {};
        const inputUnits = count(usage.input_tokens);
        const outputUnits = count(usage.output_tokens);
        if (inputUnits === undefined || outputUnits === undefined) return;
        this.#usage = { inputUnits, outputUnits, isEstimated: false, estimate: this.#estimate };
      }
    }
  }
}
