import type { ServerResponse } from 'node:http';
import { AppError } from '@tollgate/errors';
import { elapsed } from '@tollgate/runtime';
import type { StreamFormat } from './accept.js';
import { type AnswerCopy, concat } from './answer-copy.js';

/** Joined events are written at once beyond this size, so that a synchronous producer also meets backpressure. */
const PENDING_BYTES_MAX = 64 * 1024;

/** Silence after which a keepalive is sent. */
const KEEPALIVE_MS = 10_000;

const JSON_TYPE = 'application/json; charset=utf-8';

/** Text or bytes around one event. Those of a server-sent event without name and id are bytes around bytes: nothing is converted. */
type Frame = readonly [before: string | Uint8Array, after: string | Uint8Array];

const LINE: Frame = ['', '\n'];
const DATA_TEXT: Frame = ['data: ', '\n\n'];
const DATA_BYTES: Frame = [Buffer.from('data: '), Buffer.from('\n\n')];
const BARE: Frame = ['', ''];

/** Media type of the stream of a model response as NDJSON. */
export const RESPONSES_NDJSON = 'application/x-ndjson; profile="responses-stream/v2"';

export interface StreamOptions {
  /** How events are framed. Undefined for bytes, which are sent as they are and without keepalives. */
  format: StreamFormat | undefined;
  /** JSON of the keepalive event. Default: a blank line (NDJSON) or a comment (SSE). */
  keepaliveEvent?: string | undefined;
  keepaliveMs?: number;
  /** Returns the JSON of the event that ends a broken stream, in protocols that have one. */
  errorEvent?: (error: AppError) => string;
  /** SSE name of that event. */
  errorEventName?: string | undefined;
  /**
   * Sends that event as bare JSON, which the vendor's client library takes for an error; a framed one, for an answer. Then breaks
   * the connection: other libraries ignore the event, and take an ordinary end for a complete answer.
   */
  errorsAreBare?: boolean | undefined;
}

/** A streamed answer in progress. */
export interface OpenStream {
  /** Ends the stream because the process stops. */
  shutDown(): void;
}

/** Open streams of this process, so that a stop can end them. */
export type OpenStreams = Set<OpenStream>;

/**
 * Writes one streamed answer after its headers were sent. Sends the first piece at once and joins the pieces that follow
 * in the same turn of the event loop into one write. A stream with a copy is produced to its end, even if its client has
 * left or does not read.
 */
export class AnswerStream implements OpenStream {
  readonly #res: ServerResponse;
  readonly #options: StreamOptions;
  readonly #open: OpenStreams;
  readonly #copy: AnswerCopy | undefined;
  readonly #inTurn: (write: () => void) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  #pending: (string | Uint8Array)[] = [];
  #pendingBytes = 0;
  #isFlushScheduled = false;
  #isFirst = true;
  #isEnded = false;
  /** Of a JSON list. */
  #hasElements = false;
  #isListClosed = false;
  #hasBareError = false;
  #lastWriteMs = elapsed();
  /** Bytes that were written. */
  bytes = 0;
  /** The error that ended the stream; undefined when its client left before. */
  failure: AppError | undefined;

  /** `inTurn` runs a write, now or when it is the caller's turn. */
  constructor(
    res: ServerResponse,
    open: OpenStreams,
    options: StreamOptions,
    copy?: AnswerCopy,
    inTurn: (write: () => void) => void = (write) => write(),
  ) {
    this.#res = res;
    this.#open = open;
    this.#options = options;
    this.#copy = copy;
    this.#inTurn = inTurn;
    res.on('close', () => this.#close());
    if (options.format !== undefined) {
      const keepaliveMs = options.keepaliveMs ?? KEEPALIVE_MS;
      this.#timer = setInterval(() => this.#keepalive(keepaliveMs), keepaliveMs / 4);
      this.#timer.unref();
    }
    // A client that left before the stream started: no event of the connection will close the stream.
    if (res.destroyed) this.#close();
    else open.add(this);
  }

  /** False when the rest of the stream is of no use: the client has left, and no copy is kept. */
  get isWanted(): boolean {
    return this.#copy !== undefined || this.#isOpen;
  }

  /**
   * Sends one JSON event. `event` and `id` are SSE fields; NDJSON has no place for them. Returns a promise only when the
   * socket is full: await it before the next event.
   */
  send(json: string | Uint8Array, event?: string, id?: string): Promise<void> | undefined {
    const frame = this.#frame(json, event, id);
    this.#copy?.push(frame[0], json, frame[1]);
    return this.#write(frame, json);
  }

  /** Sends a piece as it is. Returns a promise only when the socket is full: await it before the next piece. */
  sendRaw(piece: string | Uint8Array): Promise<void> | undefined {
    this.#copy?.push(piece);
    return this.#sendRaw(piece);
  }

  end(): void {
    this.#closeList();
    if (this.#isEnded) return;
    this.flush();
    this.#close();
    // In a later turn of the event loop: HTTP holds the writes of this one back.
    if (this.#hasBareError) setImmediate(() => this.#res.socket?.destroySoon());
    else this.#res.end();
  }

  /** Ends a broken stream with an error event. Returns false when the protocol has none. */
  fail(error: AppError): boolean {
    const { errorEvent, errorEventName } = this.#options;
    if (!errorEvent) return false;
    this.#failed(error);
    const json = errorEvent(error);
    void this.#write(this.#frame(json, errorEventName), json);
    this.end();
    return true;
  }

  shutDown(): void {
    const error = new AppError('SERVICE_UNAVAILABLE', 'the service is restarting');
    if (this.fail(error)) return;
    if (this.#options.format === undefined) this.#cut(error);
    else this.end();
  }

  #failed(error: AppError): void {
    if (!this.#res.destroyed) this.failure = error;
  }

  /** Breaks the connection: bytes have no event for an error, and an ordinary end would look like a complete answer. */
  #cut(error: AppError): void {
    this.#failed(error);
    this.flush();
    this.#close();
    this.#res.destroy();
  }

  get #isOpen(): boolean {
    return !this.#isEnded && !this.#res.destroyed;
  }

  #frame(json: string | Uint8Array, event?: string, id?: string): Frame {
    const { format, errorsAreBare, errorEventName } = this.#options;
    if (errorsAreBare && event === errorEventName) this.#hasBareError = true;
    if (format === 'ndjson') return LINE;
    if (format === 'json-array') {
      const before = this.#hasElements ? ',\n' : '[';
      this.#hasElements = true;
      return [before, ''];
    }
    if (event === undefined && id === undefined) return typeof json === 'string' ? DATA_TEXT : DATA_BYTES;
    if (!this.#hasBareError) return [ssePrefix(event, id), '\n\n'];
    // In a write of its own: the library looks for an error at the start of what it reads.
    this.flush();
    return BARE;
  }

  /** Completes a list, also in the copy of a stream whose client has left. */
  #closeList(): void {
    if (this.#options.format !== 'json-array' || this.#isListClosed) return;
    this.#isListClosed = true;
    const end = this.#hasElements ? ']' : '[]';
    this.#copy?.push(end);
    void this.#sendRaw(end);
  }

  #write([before, after]: Frame, json: string | Uint8Array): Promise<void> | undefined {
    if (!this.#isOpen) return undefined;
    this.#pending.push(before, json, after);
    return this.#written(json.length);
  }

  #sendRaw(piece: string | Uint8Array): Promise<void> | undefined {
    if (!this.#isOpen) return undefined;
    this.#pending.push(piece);
    return this.#written(piece.length);
  }

  #written(length: number): Promise<void> | undefined {
    this.#pendingBytes += length;
    if (this.#pendingBytes > PENDING_BYTES_MAX) this.flush();
    else if (!this.#isFlushScheduled) {
      this.#isFlushScheduled = true;
      if (this.#isFirst) this.#inTurn(this.#flushScheduled);
      else setImmediate(() => this.#inTurn(this.#flushScheduled));
      this.#isFirst = false;
    }
    return this.#res.writableNeedDrain && !this.#copy ? writable(this.#res) : undefined;
  }

  readonly #flushScheduled = (): void => {
    this.#isFlushScheduled = false;
    this.flush();
  };

  /** Writes what waits for its turn, as before a connection is broken: the client gets all that was produced. */
  flush(): void {
    if (this.#pending.length === 0 || !this.#isOpen) return;
    const parts = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#lastWriteMs = elapsed();
    const piece = joined(parts);
    this.bytes += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length;
    this.#res.write(piece);
  }

  #keepalive(afterMs: number): void {
    if (elapsed() - this.#lastWriteMs < afterMs || this.#res.writableNeedDrain) return;
    const { keepaliveEvent, format } = this.#options;
    if (keepaliveEvent !== undefined) {
      void this.#write(this.#frame(keepaliveEvent), keepaliveEvent);
    } else void this.#sendRaw(format === 'sse' ? ': keepalive\n\n' : '\n');
  }

  #close(): void {
    this.#isEnded = true;
    clearInterval(this.#timer);
    this.#open.delete(this);
  }
}

/** Returns the headers of a stream of events, as a flat list. */
export function streamHeaders(format: StreamFormat, ndjsonType = RESPONSES_NDJSON): readonly string[] {
  const types = { sse: 'text/event-stream; charset=utf-8', ndjson: ndjsonType, 'json-array': JSON_TYPE };
  const type = types[format];
  return ['Content-Type', type, 'Cache-Control', 'no-store', 'X-Accel-Buffering', 'no'];
}

/** Resolves when the socket takes more data or has closed. */
function writable(res: ServerResponse): Promise<void> {
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

function ssePrefix(event: string | undefined, id: string | undefined): string {
  return `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}data: `;
}

function joined(parts: (string | Uint8Array)[]): string | Uint8Array {
  return parts.every((part) => typeof part === 'string') ? parts.join('') : concat(parts);
}
