import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '@tollgate/api/model-requests';
import type { LoopShare } from '@tollgate/runtime';
import { type Dispatcher, errors } from 'undici';
import { ProviderFailure, type ProviderFailureKind } from '../../domain/provider-failure.js';

/** Receives the events of one request, in order. `onFailed` or `onDone` ends it and is called once. */
export interface UpstreamListener {
  onHead(status: number, headers: IncomingHttpHeaders): void;
  onChunk(chunk: Buffer): void;
  onDone(): void;
  onFailed(failure: ProviderFailure): void;
}

/** The slot of a request, and the account that takes it. */
interface RequestSlot {
  readonly accountId: string;
  /** The caller left before the request was sent. */
  canceled(): void;
  /** The request's socket is free. */
  ended(): void;
}

/** Unread bytes of an answer from which its socket is paused. */
const PAUSED_FROM_BYTES = 256 * 1024;
/** Unread bytes of an answer that cannot be paused; more end it. */
const UNREAD_BYTES_MAX = 32 * 1024 * 1024;

/** One request in flight, and undici's handler of it. */
export class UpstreamRequest implements Dispatcher.DispatchHandler {
  readonly #provider: ProviderId;
  readonly #listener: UpstreamListener;
  readonly #slot: RequestSlot;
  readonly #loop: LoopShare;
  /** Chunks that wait for their turn, or for a slow reader of an answer that cannot be paused. */
  #unread: Buffer[] = [];
  #unreadBytes = 0;
  #isTurnTaken = false;
  #isReading = false;
  #canPause = false;
  #controller: Dispatcher.DispatchController | undefined;
  #isSent = false;
  #observer: ((status: number, headers: IncomingHttpHeaders) => void) | undefined;
  /** Of the answer. */
  #status: number | undefined;
  /** No listener call follows. */
  #isOver = false;
  #hasEnded = false;
  /** The answer has ended, but its last chunks wait for their turn. */
  #isEndWaiting = false;
  #isPaused = false;

  constructor(provider: ProviderId, listener: UpstreamListener, slot: RequestSlot, loop: LoopShare) {
    this.#provider = provider;
    this.#listener = listener;
    this.#slot = slot;
    this.#loop = loop;
  }

  /** Sets what sees the status and the headers of the answer first. */
  observe(observer: (status: number, headers: IncomingHttpHeaders) => void): void {
    this.#observer = observer;
  }

  /** Takes the failure that the body of the answer reports: some vendors refuse a key with the status of a faulty request. */
  reports({ kind, status }: ProviderFailure): void {
    const meant = kind === 'payment' ? 402 : status;
    if (meant !== undefined && meant !== this.#status) this.#observer?.(meant, {});
  }

  wasSent(): void {
    this.#isSent = true;
  }

  /** It had a slot, but its body could not be written, or its caller left before that. */
  wasNotSent(): void {
    this.#end();
  }

  /** Whether the listener has heard the end, or the caller has left. */
  get isOver(): boolean {
    return this.#isOver;
  }

  pause(): void {
    this.#isPaused = true;
    if (this.#canPause) this.#controller?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (this.#unread.length === 0) this.#controller?.resume();
    else this.#takeTurn();
  }

  /** Passes the waiting chunks on at once. Breaks the connection if one cannot be read, as undici does. */
  readWaiting(): void {
    this.#pass(Number.POSITIVE_INFINITY);
  }

  /** Cuts the connection; no listener call follows. Returns true if sending the request had started. */
  abort(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    if (!this.#isSent) this.#slot.canceled();
    // A request still waiting for a socket has no controller yet: onRequestStart aborts it before anything is sent.
    this.#controller?.abort(new errors.RequestAbortedError('the caller has left'));
    if (this.#isEndWaiting) this.#done();
    return this.#controller !== undefined;
  }

  fail(kind: ProviderFailureKind, cause?: unknown): void {
    if (this.#isOver) return;
    const isSent = this.abort();
    const isUnanswered = isSent && (kind === 'timeout' || kind === 'transport');
    this.#listener.onFailed(new ProviderFailure({ kind, provider: this.#provider, cause, isUnanswered }));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new errors.RequestAbortedError('the caller has left'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#isOver || status < 200) return;
    this.#canPause = isPausable(headers);
    this.#status = status;
    this.#observer?.(status, headers);
    this.#listener.onHead(status, headers);
    if (this.#isPaused) this.pause();
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    const mustWait = this.#unread.length > 0 || (this.#isPaused && !this.#canPause);
    if (!mustWait && this.#loop.tryNow(() => this.#listener.onChunk(chunk))) return;
    this.#unread.push(chunk);
    this.#unreadBytes += chunk.length;
    if (this.#canPause) {
      if (this.#unreadBytes > PAUSED_FROM_BYTES) controller.pause();
    } else if (this.#unreadBytes > UNREAD_BYTES_MAX) {
      this.fail('transport', new Error('the reader is too slow for an answer that cannot be paused'));
      return;
    }
    this.#takeTurn();
  }

  /** Many answers may end at once: their last chunks take turns like those before. */
  onResponseEnd(): void {
    this.#isEndWaiting = this.#isTurnTaken && this.#unread.length > 0;
    if (this.#isEndWaiting) return;
    this.#readUnread();
    this.#done();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    try {
      this.#readUnread();
    } catch {
      // The answer fails below.
    }
    this.#end();
    // A closing pool rejects inside dispatch(); listeners are never called before it has returned.
    if (this.#isSent) this.fail(isTimeout(error) ? 'timeout' : 'transport', error);
    else setImmediate(() => this.fail('transport', error));
  }

  #done(): void {
    this.#isEndWaiting = false;
    this.#end();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.onDone();
  }

  /** The connection of an answer that has ended cannot report the failure. */
  #failReading(error: Error): void {
    if (this.#isEndWaiting) {
      this.#end();
      this.fail('transport', error);
    } else this.#controller?.abort(error);
  }

  #takeTurn(): void {
    if (this.#isTurnTaken || (this.#isPaused && !this.#canPause)) return;
    this.#isTurnTaken = true;
    this.#loop.later(this.#slot.accountId, this.#onTurn);
  }

  readonly #onTurn = (): void => {
    this.#isTurnTaken = false;
    if (this.#unread.length > 0 || this.#isEndWaiting) this.#pass(1);
  };

  /** Passes on at most `chunksMax` waiting chunks; the others wait for the next turn. */
  #pass(chunksMax: number): void {
    if (this.#isReading) return;
    try {
      this.#readUnread(chunksMax);
    } catch (error) {
      this.#failReading(error as Error);
      return;
    }
    if (this.#unread.length > 0) this.#takeTurn();
    else if (this.#isEndWaiting) this.#done();
    else if (!this.#isPaused && !this.#isOver && !this.#hasEnded) this.#controller?.resume();
  }

  /** Reads nothing more after a chunk that cannot be read, or after the end of the request. */
  #readUnread(chunksMax = Number.POSITIVE_INFINITY): void {
    if (this.#isReading) return;
    this.#isReading = true;
    let rest: Buffer[] = [];
    try {
      let read = 0;
      // The list stays filled until its end, so that a chunk that arrives in the middle cannot overtake.
      for (; read < Math.min(chunksMax, this.#unread.length) && !this.#isOver; read++)
        this.#listener.onChunk(this.#unread[read] as Buffer);
      if (!this.#isOver) rest = this.#unread.slice(read);
    } finally {
      this.#isReading = false;
      this.#unread = rest;
      this.#unreadBytes = rest.reduce((bytes, { length }) => bytes + length, 0);
    }
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#slot.ended();
  }
}

/**
 * Whether reading may pause. undici fails an assertion, and with it the process, when the peer ends an answer whose end is
 * the end of the connection while its parser is paused (nodejs/undici#5360). The version of HTTP is unknown here, so only an
 * answer in chunks, which HTTP/1.0 lacks, is known to outlive its connection.
 */
function isPausable({ connection, 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean {
  return /\bchunked\b/i.test(encoding ?? '') && !/\bclose\b/i.test(connection ?? '');
}

function isTimeout(error: Error): boolean {
  return (
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError
  );
}
