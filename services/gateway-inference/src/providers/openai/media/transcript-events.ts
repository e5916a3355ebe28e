import type { MediaUsage, TranscriptionCall, TranscriptStream } from '../../contract/media-provider.js';
import { type EventSource, readEvents } from './read-events.js';
import { readUsage } from './transcript-answer.js';

/** The type of the last event of a transcript. */
export const TRANSCRIPT_DONE = 'transcript.text.done';

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
