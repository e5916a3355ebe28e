import type { IncomingHttpHeaders } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import type { ProviderId } from '@tollgate/api/model-requests';
import { createParser } from 'eventsource-parser';
import type { ModelAnswer } from '../../domain/model-answer.js';
import { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelExchange, ModelListener } from '../contract/provider.js';
import type { FrameSink, Frames, StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import { parseObject, readRequestId } from '../convert/answer-reading.js';
import { collectStream, emitAsStream } from './other-form.js';
import type { UpstreamListener, UpstreamRequest } from './upstream-request.js';

const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
const ERROR_BYTES_MAX = 64 * 1024;
/** Longest wait for the usage of a stream whose model has stopped. */
const USAGE_WAIT_MS = 3_000;

/** One model call over HTTP: a JSON body or a stream of server-sent events. */
export class HttpExchange implements ModelExchange, UpstreamListener {
  readonly #wire: Wire;
  readonly #isStream: boolean;
  readonly #listener: ModelListener;
  /** Set while a stream is read; any other body is collected. */
  #stream: ModelStream | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #usageTimer: NodeJS.Timeout | undefined;
  #isPaused = false;
  request: UpstreamRequest | undefined;

  constructor(wire: Wire, isStream: boolean, listener: ModelListener) {
    this.#wire = wire;
    this.#isStream = isStream;
    this.#listener = listener;
  }

  pause(): void {
    this.#isPaused = true;
    this.#stopWaiting();
    this.request?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.request?.resume();
    this.#awaitUsage();
  }

  readWaiting(): void {
    this.request?.readWaiting();
  }

  abort(): boolean {
    this.#stopWaiting();
    this.#stream?.stop();
    return this.request?.abort() ?? false;
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    if (!this.#isOk()) return;
    const type = headers['content-type'];
    if (this.#isStream && !isWholeDocument(type)) {
      this.#listener.onOpen();
      this.#stream = new ModelStream(this.#wire, this.#listener, readRequestId(headers));
    } else if (!this.#isStream && isEventStream(type) && this.#wire.converted) {
      const whole = collectStream(this.#listener, ANSWER_BYTES_MAX, () => this.request?.fail('invalid_response'));
      this.#stream = new ModelStream(this.#wire.converted, whole, readRequestId(headers));
    }
  }

  onChunk(chunk: Buffer): void {
    if (this.#stream) {
      this.#stream.feed(chunk);
      if (this.#stream.hasFailed) this.request?.abort();
      else this.#awaitUsage();
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
    this.#stopWaiting();
    if (this.#stream) this.#stream.close();
    else if (this.#isOk()) this.#reportAnswer();
    else this.#reportError();
  }

  onFailed(failure: ProviderFailure): void {
    this.#stopWaiting();
    if (this.#stream) this.#stream.close(failure);
    else if (this.#status !== 0 && !this.#isOk()) this.onDone();
    else this.#listener.onFailure(failure);
  }

  /** Bounds the wait for usage after the model has stopped: not every server reports usage of a stream. */
  #awaitUsage(): void {
    if (!this.#stream?.awaitsUsage) this.#stopWaiting();
    else if (!this.#isPaused) this.#usageTimer ??= setTimeout(this.#endWithoutUsage, USAGE_WAIT_MS);
  }

  readonly #endWithoutUsage = (): void => {
    this.request?.readWaiting();
    this.request?.abort();
    this.#stream?.close();
  };

  #stopWaiting(): void {
    clearTimeout(this.#usageTimer);
    this.#usageTimer = undefined;
  }

  #reportError(): void {
    const failure = this.#wire.readFailure(this.#status, this.#headers, this.#text());
    this.request?.reports(failure);
    this.#listener.onFailure(failure);
  }

  #reportAnswer(): void {
    const text = this.#text();
    const body = parseObject(text);
    const wire = this.#isStream ? this.#wire.converted : this.#wire;
    const answer = body && wire?.readAnswer(body, text);
    if (!answer) this.#listener.onFailure(this.#unreadable(body));
    else if (this.#isStream) emitAsStream(answer, this.#listener);
    else this.#listener.onAnswer(answer);
  }

  #unreadable(body: object | undefined): ProviderFailure {
    const providerRequestId = readRequestId(this.#headers);
    if (body && 'error' in body && body.error) return this.#wire.readLateFailure(body, providerRequestId);
    const { provider } = this.#wire;
    const detail = isHtml(this.#headers['content-type']) ? this.#htmlDetail() : undefined;
    return new ProviderFailure({ kind: 'invalid_response', provider, providerRequestId, detail });
  }

  #htmlDetail(): string {
    return `the provider answered with HTML, not with ${this.#isStream ? 'an event stream' : 'JSON'}`;
  }

  #isOk(): boolean {
    return this.#status >= 200 && this.#status < 300;
  }

  #text(): string {
    return (this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)).toString('utf8');
  }
}

/** Whether a streamed request was answered with a plain body: an error as JSON, or a proxy's page. */
function isWholeDocument(contentType: string | undefined): boolean {
  return contentType?.startsWith('application/json') === true || isHtml(contentType);
}

function isEventStream(contentType: string | undefined): boolean {
  return contentType?.startsWith('text/event-stream') === true;
}

function isHtml(contentType: string | undefined): boolean {
  return contentType !== undefined && /^text\/html\b/i.test(contentType);
}

/** Reads one vendor's stream, calls the listener, and ends once. */
export class ModelStream implements StreamEnd {
  readonly #wire: Wire;
  readonly #listener: ModelListener;
  readonly #frames: Frames;
  readonly #events: VendorEvents;
  readonly providerRequestId: string | undefined;
  #isOver = false;
  hasFailed = false;

  constructor(wire: Wire, listener: ModelListener, providerRequestId: string | undefined) {
    this.#wire = wire;
    this.#listener = listener;
    this.providerRequestId = providerRequestId;
    this.#events = wire.openEvents(listener, this);
    const openFrames = wire.openFrames ?? openSseFrames;
    this.#frames = openFrames({
      receive: (data, name) => {
        if (!this.#isOver) this.#events.receive(data, name);
      },
      fail: (cause) => this.failUnreadable(cause),
    });
  }

  get provider(): ProviderId {
    return this.#wire.provider;
  }

  feed(chunk: Buffer): void {
    if (!this.#isOver) this.#frames.feed(chunk);
  }

  /** Whether the stop reason has arrived but not the stream's end: usage may follow. */
  get awaitsUsage(): boolean {
    return !this.#isOver && this.#events.hasStopped;
  }

  /** Ends the calls of the listener. */
  stop(): void {
    this.#isOver = true;
  }

  /** The connection has ended, regularly or with a failure. */
  close(failure?: ProviderFailure): void {
    if (this.#isOver) return;
    const answer = this.#events.finish();
    if (answer) this.answer(answer);
    else if (failure) this.fail(failure);
    else this.#failAs('transport', new Error('the stream ended without its final event'));
  }

  answer(answer: ModelAnswer): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.onAnswer(answer);
  }

  fail(failure: ProviderFailure): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.hasFailed = true;
    this.#listener.onFailure(failure);
  }

  failUnreadable(cause?: unknown): void {
    this.#failAs('invalid_response', cause);
  }

  #failAs(kind: 'transport' | 'invalid_response', cause: unknown): void {
    const { provider } = this.#wire;
    const { providerRequestId } = this;
    this.fail(new ProviderFailure({ kind, provider, providerRequestId, cause, isUnanswered: kind === 'transport' }));
  }
}

/** A stream with a larger event is rejected. */
const EVENT_CHARS_MAX = 8 * 1024 * 1024;

/** Reads server-sent events. */
function openSseFrames(sink: FrameSink): Frames {
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

const BYTE_ORDER_MARK = '\uFEFF';

/** Decodes a UTF-8 body in pieces, without the byte order mark that some servers send first. */
export class Utf8Text {
  readonly #decoder = new StringDecoder('utf8');
  #hasStarted = false;

  decode(chunk: Buffer): string {
    const text = this.#decoder.write(chunk);
    if (this.#hasStarted || text === '') return text;
    this.#hasStarted = true;
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }
}
