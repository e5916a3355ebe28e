import type { ProviderId } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import { createParser } from 'eventsource-parser';
import { ProviderFailure } from '../../../domain/provider-failure.js';
import type { MediaUsage, TranscriptionCall, TranscriptStream } from '../../contract/media-provider.js';
import { count, filterObjects, parseObject } from '../../convert/answer-reading.js';
import { renderedFormats, renderTranscript, type Transcript } from '../../convert/transcript.js';
import { Utf8Text } from '../../transport/http-exchange.js';
import { toStreamFailure } from '../upstream-error.js';

const EVENT_CHARS_MAX = 8 * 1024 * 1024;

interface EventSource {
  provider: ProviderId;
  providerRequestId: string | undefined;
  body: AsyncIterable<Uint8Array>;
  /** The type of the event that ends a complete answer. */
  lastType: string;
}

/**
 * Yields the events of an answer, up to the last one. The source is read only when the reader asks, so at most the events of one
 * chunk wait here.
 *
 * @throws ProviderFailure if the answer breaks off or is unreadable, after the events before it
 */
async function* readEvents({ provider, providerRequestId, body, lastType }: EventSource): AsyncGenerator<JsonObject> {
  const waiting: JsonObject[] = [];
  const text = new Utf8Text();
  let failure: ProviderFailure | undefined;
  let hasEnded = false;
  const fail = (kind: 'transport' | 'invalid_response', cause?: unknown): void => {
    failure ??= new ProviderFailure({ kind, provider, providerRequestId, cause });
  };
  const parser = createParser({
    onEvent({ data }) {
      if (hasEnded || failure || data === '' || data === '[DONE]') return;
      const event = parseObject(data);
      if (!event) fail('invalid_response');
      else if (event.error || event.type === 'error') failure = toStreamFailure(provider, event, providerRequestId);
      else {
        waiting.push(event);
        hasEnded = event.type === lastType;
      }
    },
    onError: (error) => error.type === 'max-buffer-size-exceeded' && fail('invalid_response', error),
    maxBufferSize: EVENT_CHARS_MAX,
  });
  for await (const chunk of body) {
    parser.feed(text.decode(Buffer.from(chunk)));
    for (let event = waiting.shift(); event; event = waiting.shift()) yield event;
    if (failure) throw failure;
  }
  if (hasEnded) return;
  fail('transport', new Error('the stream ended without its final event'));
  throw failure;
}

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
        const usage = isJsonObject(event.usage) ? event.usage : {};
        const inputUnits = count(usage.input_tokens);
        const outputUnits = count(usage.output_tokens);
        if (inputUnits === undefined || outputUnits === undefined) return;
        this.#usage = { inputUnits, outputUnits, isEstimated: false, estimate: this.#estimate };
      }
    }
  }
}

/** Typical bytes per second of recorded speech. */
const TYPICAL_BYTES_PER_SECOND = 16_000;
const TYPICAL_TOKENS_PER_SECOND = 10;

/**
 * Returns the format to request from the provider, so that the answer includes usage. Only JSON does: models sold by seconds
 * report it in the long form, from which the other formats are written; models sold by tokens have only the short form.
 */
export function upstreamFormat({ meteredIn }: TranscriptionCall, format: string): string {
  if (meteredIn === 'seconds') return 'verbose_json';
  if (format === 'json' || format === 'text' || isVerbose(format)) return isVerbose(format) ? format : 'json';
  const message = `response_format ${format} is not supported by this model`;
  throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'response_format', message }] });
}

/** Whether the format is a long form, which is passed through unchanged. */
export function isVerbose(format: string): boolean {
  return !(renderedFormats as readonly string[]).includes(format);
}

/** Returns the provider's transcript in the requested format, with its usage. */
export function toTranscriptAnswer(
  call: TranscriptionCall,
  body: JsonObject,
  format: string,
): { contentType: string; body: Buffer; usage: MediaUsage } {
  const usage = readUsage(call, body);
  if (isVerbose(format)) return { contentType: 'application/json', body: Buffer.alloc(0), usage };
  if (call.meteredIn === 'tokens' && format === 'json') {
    return { contentType: 'application/json', body: Buffer.from(JSON.stringify(body)), usage };
  }
  const rendered = renderTranscript(toTranscript(body), format);
  return { contentType: rendered.contentType, body: Buffer.from(rendered.body), usage };
}

/** Returns the usage of an answer or of its last event, in the model's unit. */
export function readUsage(call: TranscriptionCall, { usage, duration }: JsonObject): MediaUsage {
  const figures = isJsonObject(usage) ? usage : {};
  const likelySeconds = Math.ceil(call.audio.bytes.length / TYPICAL_BYTES_PER_SECOND);
  if (call.meteredIn === 'tokens') {
    const input = count(figures.input_tokens);
    const output = count(figures.output_tokens);
    const estimate = estimated(likelySeconds * TYPICAL_TOKENS_PER_SECOND);
    if (input === undefined || output === undefined) return estimate;
    return { inputUnits: input, outputUnits: output, isEstimated: false, estimate };
  }
  const seconds = Number(figures.seconds ?? duration);
  const estimate = estimated(likelySeconds);
  if (!Number.isFinite(seconds) || seconds <= 0) return estimate;
  return { inputUnits: Math.ceil(seconds), outputUnits: 0, isEstimated: false, estimate };
}

function estimated(inputUnits: number): MediaUsage {
  return { inputUnits, outputUnits: 0, isEstimated: true };
}

function toTranscript(body: JsonObject): Transcript {
  const segments = filterObjects(body.segments).map(({ start, end, text }) => ({
    start: Number(start) || 0,
    end: Number(end) || 0,
    text: String(text ?? ''),
  }));
  return { text: String(body.text), durationSeconds: Number(body.duration) || 0, segments };
}

/** The type of the last event of a transcript. */
const TRANSCRIPT_DONE = 'transcript.text.done';

/**
 * Passes the events of a transcript on, and reads its usage from the last one.
 *
 * Source: TranscriptionTextDeltaEvent and TranscriptionTextDoneEvent of the `openai` client library 6.49.
 */
export function streamedTranscript(call: TranscriptionCall, source: Omit<EventSource, 'lastType'>): TranscriptStream {
  let usage: MediaUsage = readUsage(call, {});
  async function* events(): AsyncGenerator<string> {
    for await (const event of readEvents({ ...source, lastType: TRANSCRIPT_DONE })) {
      if (event.type === TRANSCRIPT_DONE) usage = readUsage(call, event);
      yield JSON.stringify(event);
    }
  }
  return { events: events(), usage: () => usage };
}
