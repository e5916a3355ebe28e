import { createParser } from 'eventsource-parser';
import { TollgateError } from './error.js';
import { readErrorEvent } from './read-error.js';

/** An event longer than this is not of the API. */
const EVENT_LENGTH_MAX = 64 * 1024 * 1024;

export interface EventReading {
  /** Returns the next bytes of the answer's body, or undefined at its end. */
  next(): Promise<Uint8Array | undefined>;
  headers: Headers;
}

/**
 * Yields the events of a stream, NDJSON or SSE by its content type, without keepalives.
 *
 * @throws TollgateError for the event that ends a broken stream
 */
export async function* readEvents<T>({ next, headers }: EventReading): AsyncGenerator<T, void, undefined> {
  const isSse = (headers.get('content-type') ?? '').startsWith('text/event-stream');
  const split = isSse ? splitSse() : splitLines();
  const decoder = new TextDecoder();
  for (;;) {
    const bytes = await next();
    const text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    for (const json of split(text, bytes === undefined)) {
      if (json === '[DONE]') return;
      const event = parseEvent(json, bytes === undefined);
      const error = readErrorEvent(event, headers);
      if (error) throw error;
      if ((event as { type?: unknown } | null)?.type !== 'keepalive') yield event as T;
    }
    if (bytes === undefined) return;
  }
}

/** Returns the complete texts that a piece ends. */
type Split = (piece: string, isEnd: boolean) => string[];

function splitLines(): Split {
  let rest = '';
  return (piece, isEnd) => {
    const lines = (rest + piece).split('\n');
    rest = isEnd ? '' : bounded(lines.pop() ?? '');
    return lines.map((line) => line.trim()).filter((line) => line !== '');
  };
}

function splitSse(): Split {
  let found: string[] = [];
  let pendingLength = 0;
  const parser = createParser({
    onEvent: ({ data }) => {
      found.push(data);
      pendingLength = 0;
    },
  });
  return (piece) => {
    pendingLength += piece.length;
    parser.feed(piece);
    if (found.length === 0 && pendingLength > EVENT_LENGTH_MAX) throw tooLong();
    const events = found.filter((data) => data.trim() !== '');
    found = [];
    return events;
  };
}

function bounded(text: string): string {
  if (text.length > EVENT_LENGTH_MAX) throw tooLong();
  return text;
}

function tooLong(): TollgateError {
  return new TollgateError('INVALID_ANSWER', `an event of the stream is longer than ${EVENT_LENGTH_MAX} characters`);
}

function parseEvent(json: string, isAtEnd: boolean): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    if (isAtEnd) {
      throw new TollgateError('CONNECTION_ERROR', 'the stream ended inside an event', {
        retryable: true,
        cause: error,
      });
    }
    throw new TollgateError('INVALID_ANSWER', 'an event of the stream is not JSON', { cause: error });
  }
}
