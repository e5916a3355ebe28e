import type { ServerResponse } from 'node:http';
import type { StreamFormat } from './stream-format.js';

/** Joined events are written at once beyond this: a source that never lets the loop turn must meet the socket's limit. */
const PENDING_BYTES_MAX = 64 * 1024;

/** Silence after which a sign of life is sent. */
export const KEEPALIVE_MS = 10_000;

export interface StreamOptions {
  format: StreamFormat;
  /** Content type of NDJSON streams; default that of /responses. */
  ndjsonType?: string;
  /** Further headers: request id, rate limit. */
  headers?: Record<string, string>;
  /** JSON of an event sent in silence; without it a blank line (NDJSON) or a comment (SSE). */
  keepaliveEvent?: string;
  keepaliveMs?: number;
  /** JSON of the event that ends the stream when the process must stop before it is finished. */
  shutdownEvent?: string;
  /** Its SSE event name, where the protocol has one. */
  shutdownEventName?: string | undefined;
}

export const RESPONSES_NDJSON = 'application/x-ndjson; profile="responses-stream/v2"';

/** A long answer in progress. */
export interface OpenStream {
  /** The process stops: says so in the stream where the protocol has a word for it, then ends it. */
  shutDown(): void;
}

/** Open streams of this process, so that a stop can end them. */
export type OpenStreams = Set<OpenStream>;

/**
 * One long answer made of JSON events. The first event goes out at once; those that follow in the same turn of the loop
 * are joined into one write. `send` returns a promise only when the socket is full: wait for it before the next event.
 */
export class EventStream implements OpenStream {
  readonly #res: ServerResponse;
  readonly #options: StreamOptions;
  readonly #open: OpenStreams;
  readonly #timer: NodeJS.Timeout;
  #pending: (string | Uint8Array)[] = [];
  #pendingBytes = 0;
  #isFlushScheduled = false;
  #isFirst = true;
  #isEnded = false;
  #lastWriteMs = Date.now();

  constructor(res: ServerResponse, open: OpenStreams, options: StreamOptions) {
    this.#res = res;
    this.#open = open;
    this.#options = options;
    res.writeHead(200, streamHeaders(options));
    res.on('close', () => this.#close());
    const keepaliveMs = options.keepaliveMs ?? KEEPALIVE_MS;
    this.#timer = setInterval(() => this.#keepalive(keepaliveMs), keepaliveMs / 4);
    this.#timer.unref();
    open.add(this);
  }

  /** False when the client is gone or the stream has ended: stop producing. */
  get isOpen(): boolean {
    return !this.#isEnded && !this.#res.destroyed;
  }

  /** One event. `id` and `event` are SSE fields; NDJSON has no place for them. */
  send(json: string | Uint8Array, sse?: { id?: string; event?: string }): Promise<void> | undefined {
    if (!this.isOpen) return undefined;
    if (this.#options.format === 'sse') this.#pending.push(ssePrefix(sse), json, '\n\n');
    else this.#pending.push(json, '\n');
    this.#pendingBytes += json.length;
    return this.#written();
  }

  /** Text that is framed already, for example the `[DONE]` of a vendor's dialect. */
  sendRaw(text: string): Promise<void> | undefined {
    if (!this.isOpen) return undefined;
    this.#pending.push(text);
    this.#pendingBytes += text.length;
    return this.#written();
  }

  end(): void {
    if (this.#isEnded) return;
    this.#flush();
    this.#close();
    this.#res.end();
  }

  shutDown(): void {
    const { shutdownEvent, shutdownEventName: event } = this.#options;
    if (shutdownEvent !== undefined) void this.send(shutdownEvent, event === undefined ? undefined : { event });
    this.end();
  }

  #written(): Promise<void> | undefined {
    if (this.#isFirst || this.#pendingBytes > PENDING_BYTES_MAX) {
      this.#isFirst = false;
      this.#flush();
    } else if (!this.#isFlushScheduled) {
      this.#isFlushScheduled = true;
      setImmediate(() => {
        this.#isFlushScheduled = false;
        this.#flush();
      });
    }
    return this.#res.writableNeedDrain ? writable(this.#res) : undefined;
  }

  #flush(): void {
    if (this.#pending.length === 0 || !this.isOpen) return;
    const parts = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#lastWriteMs = Date.now();
    this.#res.write(joined(parts));
  }

  #keepalive(afterMs: number): void {
    if (Date.now() - this.#lastWriteMs < afterMs || this.#res.writableNeedDrain) return;
    const { keepaliveEvent, format } = this.#options;
    if (keepaliveEvent !== undefined) void this.send(keepaliveEvent);
    else void this.sendRaw(format === 'sse' ? ': keepalive\n\n' : '\n');
  }

  #close(): void {
    this.#isEnded = true;
    clearInterval(this.#timer);
    this.#open.delete(this);
  }
}

/** Resolves when the socket takes more, or will never again. */
export function writable(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.once('drain', done);
    res.once('close', done);
  });
}

export function streamHeaders(
  options: Pick<StreamOptions, 'format' | 'ndjsonType' | 'headers'>,
): Record<string, string> {
  const type = options.format === 'sse' ? 'text/event-stream; charset=utf-8' : (options.ndjsonType ?? RESPONSES_NDJSON);
  return { ...options.headers, 'Content-Type': type, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };
}

function ssePrefix(sse: { id?: string; event?: string } | undefined): string {
  if (!sse) return 'data: ';
  return `${sse.event === undefined ? '' : `event: ${sse.event}\n`}${sse.id === undefined ? '' : `id: ${sse.id}\n`}data: `;
}

function joined(parts: (string | Uint8Array)[]): string | Uint8Array {
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}
