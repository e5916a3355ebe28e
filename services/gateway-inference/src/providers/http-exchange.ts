import type { IncomingHttpHeaders } from 'node:http';
import { ProviderFailure } from '../domain/provider-failure.js';
import { parseObject, requestIdOf } from './answer-reading.js';
import type { ModelExchange, ModelListener } from './provider.js';
import { SseModelStream } from './sse-model-stream.js';
import type { UpstreamListener, UpstreamRequest } from './upstream.js';
import type { Wire } from './wire.js';

const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
const ERROR_BYTES_MAX = 64 * 1024;

/** One model call under way over HTTP: a JSON body or a stream of server-sent events. */
export class HttpExchange implements ModelExchange, UpstreamListener {
  readonly #wire: Wire;
  readonly #isStream: boolean;
  readonly #listener: ModelListener;
  /** Set while a stream is read; otherwise the body is collected. */
  #stream: SseModelStream | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  request: UpstreamRequest | undefined;

  constructor(wire: Wire, isStream: boolean, listener: ModelListener) {
    this.#wire = wire;
    this.#isStream = isStream;
    this.#listener = listener;
  }

  pause(): void {
    this.request?.pause();
  }

  resume(): void {
    this.request?.resume();
  }

  abort(): boolean {
    return this.request?.abort() ?? false;
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    // A server may answer a streamed request with a plain JSON body, for example an error under 200.
    if (!this.#isOk() || !this.#isStream || headers['content-type']?.startsWith('application/json')) return;
    this.#listener.onOpen();
    this.#stream = new SseModelStream(this.#wire, this.#listener, requestIdOf(headers));
  }

  onChunk(chunk: Buffer): void {
    if (this.#stream) {
      this.#stream.feed(chunk);
      if (this.#stream.hasFailed) this.request?.abort();
      return;
    }
    this.#bytes += chunk.length;
    if (this.#bytes <= (this.#isOk() ? ANSWER_BYTES_MAX : ERROR_BYTES_MAX)) {
      this.#chunks.push(chunk);
    } else if (this.#isOk()) {
      this.request?.fail('invalid_response');
    } else {
      this.request?.abort();
      this.onDone();
    }
  }

  onDone(): void {
    if (this.#stream) this.#stream.close();
    else if (this.#isOk()) this.#tellAnswer();
    else this.#listener.onFailure(this.#wire.readFailure(this.#status, this.#headers, this.#text()));
  }

  onFailed(failure: ProviderFailure): void {
    if (this.#stream) this.#stream.close(failure);
    else if (this.#status !== 0 && !this.#isOk()) this.onDone();
    else this.#listener.onFailure(failure);
  }

  #tellAnswer(): void {
    const text = this.#text();
    const body = parseObject(text);
    const answer = body && !this.#isStream ? this.#wire.readAnswer(body, text) : undefined;
    if (answer) this.#listener.onAnswer(answer);
    else this.#listener.onFailure(this.#unreadable(body));
  }

  #unreadable(body: object | undefined): ProviderFailure {
    const providerRequestId = requestIdOf(this.#headers);
    if (body && 'error' in body && body.error) return this.#wire.readLateFailure(body, providerRequestId);
    return new ProviderFailure({ kind: 'invalid_response', provider: this.#wire.provider, providerRequestId });
  }

  #isOk(): boolean {
    return this.#status >= 200 && this.#status < 300;
  }

  #text(): string {
    return (this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)).toString('utf8');
  }
}
