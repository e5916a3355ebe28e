import { AppError } from '@tollgate/errors';
import type { MediaUsage, TranscriptStream } from '../contract/media-provider.js';

/** The content of a `verbose_json` transcript, from which the dialect's other formats can be written. */
export interface Transcript {
  text: string;
  durationSeconds: number;
  segments: readonly { start: number; end: number; text: string }[];
}

interface RenderedTranscript {
  contentType: string;
  body: string;
}

/** Formats that are written from a transcript; `verbose_json` is passed through unchanged. */
export const renderedFormats = ['json', 'text', 'srt', 'vtt'] as const;

/** Writes the transcript in the requested format. @throws AppError VALIDATION_ERROR for an unknown format */
export function renderTranscript(transcript: Transcript, format: string): RenderedTranscript {
  switch (format) {
    case 'json': {
      const usage = { type: 'duration', seconds: Math.ceil(transcript.durationSeconds) };
      return { contentType: 'application/json', body: JSON.stringify({ text: transcript.text, usage }) };
    }
    case 'text':
      return { contentType: 'text/plain; charset=utf-8', body: `${transcript.text}\n` };
    case 'srt':
      return { contentType: 'text/plain; charset=utf-8', body: srt(transcript) };
    case 'vtt':
      return { contentType: 'text/vtt; charset=utf-8', body: vtt(transcript) };
    default: {
      const message = `response_format must be one of ${renderedFormats.join(', ')}, verbose_json`;
      throw new AppError('VALIDATION_ERROR', message, { fields: [{ field: 'response_format', message }] });
    }
  }
}

function srt({ segments }: Transcript): string {
  return segments
    .map(({ start, end, text }, i) => `${i + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${text.trim()}\n`)
    .join('\n');
}

function vtt({ segments }: Transcript): string {
  const cues = segments.map(({ start, end, text }) => `${clock(start, '.')} --> ${clock(end, '.')}\n${text.trim()}\n`);
  return `WEBVTT\n\n${cues.join('\n')}`;
}

function clock(seconds: number, separator: string): string {
  const ms = Math.round(seconds * 1000);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const time = `${two(ms / 3_600_000)}:${two((ms / 60_000) % 60)}:${two((ms / 1000) % 60)}`;
  return `${time}${separator}${String(ms % 1000).padStart(3, '0')}`;
}

/** Returns the events of a transcript that is sold by seconds, which is known as a whole. The last event has the settled seconds. */
export function wholeTranscript(text: string, usage: MediaUsage, deltas: readonly string[] = [text]): TranscriptStream {
  async function* events(): AsyncGenerator<string> {
    for (const delta of deltas) if (delta !== '') yield JSON.stringify({ type: 'transcript.text.delta', delta });
    yield JSON.stringify({
      type: 'transcript.text.done',
      text,
      usage: { type: 'duration', seconds: usage.inputUnits },
    });
  }
  return { events: events(), usage: () => usage };
}
