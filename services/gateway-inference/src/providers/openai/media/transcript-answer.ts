import { AppError } from '@tollgate/errors';
import type { MediaUsage, TranscriptionCall } from '../../contract/media-provider.js';
import { count, filterObjects, isObject, type Json } from '../../convert/answer-reading.js';
import { renderedFormats, renderTranscript, type Transcript } from '../../convert/transcript.js';

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
  body: Json,
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
export function readUsage(call: TranscriptionCall, { usage, duration }: Json): MediaUsage {
  const figures = isObject(usage) ? usage : {};
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

function toTranscript(body: Json): Transcript {
  const segments = filterObjects(body.segments).map(({ start, end, text }) => ({
    start: Number(start) || 0,
    end: Number(end) || 0,
    text: String(text ?? ''),
  }));
  return { text: String(body.text), durationSeconds: Number(body.duration) || 0, segments };
}
