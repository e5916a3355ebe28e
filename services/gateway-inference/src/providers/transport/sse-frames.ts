import { createParser } from 'eventsource-parser';
import type { FrameSink, Frames } from '../contract/wire.js';
import { Utf8Text } from './utf8-text.js';

/** A stream with a larger event is rejected. */
const EVENT_CHARS_MAX = 8 * 1024 * 1024;

/** Reads server-sent events. */
export function openSseFrames(sink: FrameSink): Frames {
  const text = new Utf8Text();
  const parser = createParser({
    onEvent: ({ data, event }) => {
      if (data !== '') sink.receive(toOneLine(data), event);
    },
    // Ignores unknown fields and invalid retry values; only an oversized event ends the stream.
    onError: (error) => error.type === 'max-buffer-size-exceeded' && sink.fail(error),
    maxBufferSize: EVENT_CHARS_MAX,
  });
  return { feed: (chunk) => parser.feed(text.decode(chunk)) };
}

/** Joins JSON that came on several `data:` lines: a forwarded event is written on one. No string in JSON contains a line break. */
function toOneLine(data: string): string {
  return data.includes('\n') ? data.replaceAll('\n', ' ') : data;
}
