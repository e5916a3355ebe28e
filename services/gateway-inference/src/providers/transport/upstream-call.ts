import type { IncomingHttpHeaders } from 'node:http';
import type { FormData } from 'undici';
import { CallNotSent, type ProviderFailure } from '../../domain/provider-failure.js';
import type { Upstream } from './upstream.js';
import type { UpstreamListener, UpstreamRequest } from './upstream-request.js';

const ERROR_BYTES_MAX = 64 * 1024;

export interface UpstreamCall {
  path: string;
  /** A flat list of names and values. */
  headers: string[];
  body: string | FormData;
  signal: AbortSignal;
  /** Whose share of the provider's sockets the call uses. */
  accountId: string;
  /** A longer answer is rejected. */
  bytesMax: number;
  /** Converts an answer with an error status. */
  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure;
}

export interface WholeAnswer {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Sends a request and reads its whole answer. @throws ProviderFailure; the signal's reason, or CallNotSent, when the caller has left */
export async function callUpstream(upstream: Upstream, call: UpstreamCall): Promise<WholeAnswer> {
  const { headers, body } = await openUpstream(upstream, call);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return { headers, body: Buffer.concat(chunks) };
}

/** Sends a request. Resolves with the readable body once the provider has answered with a 2xx status. */
export function openUpstream(
  upstream: Upstream,
  call: UpstreamCall,
): Promise<{ headers: IncomingHttpHeaders; body: AsyncIterableIterator<Uint8Array> }> {
  return new Promise((resolve, reject) => {
    if (call.signal.aborted) {
      reject(new CallNotSent('the caller has left', { cause: call.signal.reason }));
      return;
    }
    const body = new UpstreamBody(call, resolve, reject);
    body.request = upstream.post(call.path, call.headers, call.body, body, call.accountId);
  });
}

type Opened = (answer: { headers: IncomingHttpHeaders; body: UpstreamBody }) => void;

/** Unread bytes above which the provider's socket is paused. */
const HIGH_WATER_BYTES = 256 * 1024;

/** The body of an answer, pulled by its reader: the socket is not read faster. */
class UpstreamBody implements UpstreamListener, AsyncIterableIterator<Uint8Array> {
  readonly #call: UpstreamCall;
  readonly #opened: Opened;
  readonly #failed: (reason: unknown) => void;
  request: UpstreamRequest | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #isOver = false;
  #error: unknown;
  #wake: (() => void) | undefined;

  constructor(call: UpstreamCall, opened: Opened, failed: (reason: unknown) => void) {
    this.#call = call;
    this.#opened = opened;
    this.#failed = failed;
    call.signal.addEventListener('abort', this.#leave, { once: true });
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (this.#isOk()) this.#opened({ headers, body: this });
  }

  onChunk(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > (this.#isOk() ? this.#call.bytesMax : ERROR_BYTES_MAX)) {
      this.#overflow();
      return;
    }
    this.#chunks.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#isOk() && this.#waitingBytes > HIGH_WATER_BYTES) this.request?.pause();
    this.#wake?.();
  }

  onDone(): void {
    if (this.#isOk()) {
      this.#end(undefined);
      return;
    }
    const failure = this.#call.readFailure(this.#status, this.#headers, Buffer.concat(this.#chunks).toString('utf8'));
    this.request?.reports(failure);
    this.#end(failure);
  }

  onFailed(failure: ProviderFailure): void {
    if (this.#status !== 0 && !this.#isOk()) this.onDone();
    else this.#end(failure);
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    while (this.#chunks.length === 0 && !this.#isOver) {
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    const chunk = this.#chunks.shift();
    if (chunk) {
      this.#waitingBytes -= chunk.length;
      if (this.#waitingBytes <= HIGH_WATER_BYTES) this.request?.resume();
      return { done: false, value: chunk };
    }
    if (this.#error !== undefined) throw this.#error;
    return { done: true, value: undefined };
  }

  /** The reader stops early. */
  async return(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#isOver) this.request?.abort();
    this.#end(undefined);
    this.#chunks = [];
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  readonly #leave = (): void => {
    const { reason } = this.#call.signal;
    const isSent = this.request?.abort() === true;
    this.#end(isSent ? reason : new CallNotSent('the caller has left', { cause: reason }));
  };

  #overflow(): void {
    if (this.#isOk()) {
      this.request?.fail('invalid_response', new Error('the answer is too long'));
    } else {
      this.request?.abort();
      this.onDone();
    }
  }

  #end(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#error = error;
    this.#call.signal.removeEventListener('abort', this.#leave);
    if (error !== undefined) this.#failed(error);
    this.#wake?.();
  }

  #isOk(): boolean {
    return this.#status >= 200 && this.#status < 300;
  }
}
