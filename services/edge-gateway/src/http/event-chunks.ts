import type { StreamFormat } from './stream-format.js';
import { KEEPALIVE_MS } from './stream-framing.js';

export interface FramedEvent {
  json: string | Uint8Array;
  /** SSE `id:`; clients come back with it as `Last-Event-ID`. */
  id?: string;
}

/**
 * Frames a source of JSON events for a `StreamResult`, with a blank line (NDJSON) or a comment (SSE) in long silence.
 * Leaving the loop returns the source.
 */
export async function* eventChunks(
  source: AsyncIterable<FramedEvent>,
  format: StreamFormat,
  keepaliveMs: number = KEEPALIVE_MS,
): AsyncGenerator<string> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const result = await withinMs(next, keepaliveMs);
      if (result === 'silence') {
        yield format === 'sse' ? ': keepalive\n\n' : '\n';
        continue;
      }
      if (result.done) return;
      yield frame(result.value, format);
      next = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}

function frame(event: FramedEvent, format: StreamFormat): string {
  const json = typeof event.json === 'string' ? event.json : Buffer.from(event.json).toString('utf8');
  if (format === 'ndjson') return `${json}\n`;
  return `${event.id === undefined ? '' : `id: ${event.id}\n`}data: ${json}\n\n`;
}

function withinMs<T>(promise: Promise<T>, ms: number): Promise<T | 'silence'> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'silence'>((resolve) => {
    timer = setTimeout(() => resolve('silence'), ms);
  });
  return Promise.race([promise, silence]).finally(() => clearTimeout(timer));
}
