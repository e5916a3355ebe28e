import type { MediaUsage, TranscriptStream } from '../contract/media-provider.js';

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
