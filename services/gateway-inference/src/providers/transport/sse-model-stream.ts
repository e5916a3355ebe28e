import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { ModelAnswer } from '../../domain/model-answer.js';
import { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import { Utf8Text } from './utf8-text.js';

/** An event larger than this is no part of an answer. */
const EVENT_CHARS_MAX = 8 * 1024 * 1024;

/** Reads one vendor's stream of server-sent events: bytes in, listener calls out, one end. */
export class SseModelStream implements StreamEnd {
  readonly #wire: Wire;
  readonly #listener: ModelListener;
  readonly #text = new Utf8Text();
  readonly #parser: EventSourceParser;
  readonly #events: VendorEvents;
  readonly providerRequestId: string | undefined;
  #isOver = false;
  hasFailed = false;

  constructor(wire: Wire, listener: ModelListener, providerRequestId: string | undefined) {
    this.#wire = wire;
    this.#listener = listener;
    this.providerRequestId = providerRequestId;
    this.#events = wire.openEvents(listener, this);
    this.#parser = createParser({
      onEvent: ({ data, event }) => {
        if (!this.#isOver && data !== '') this.#events.receive(data, event);
      },
      // Unknown fields and bad retry values are to be ignored; only an endless event ends the stream.
      onError: (error) => error.type === 'max-buffer-size-exceeded' && this.failUnreadable(error),
      maxBufferSize: EVENT_CHARS_MAX,
    });
  }

  feed(chunk: Buffer): void {
    if (!this.#isOver) this.#parser.feed(this.#text.decode(chunk));
  }

  /** Whether the model has said why it stopped, and the stream goes on: its figures may follow. */
  get awaitsUsage(): boolean {
    return !this.#isOver && this.#events.hasStopped;
  }

  /** Tells the listener nothing more. */
  stop(): void {
    this.#isOver = true;
  }

  /** The connection ended, by itself or with a failure. */
  close(failure?: ProviderFailure): void {
    if (this.#isOver) return;
    const answer = this.#events.finish();
    if (answer) this.answer(answer);
    else if (failure) this.fail(failure);
    else this.#failAs('transport', new Error('the stream ended without an end'));
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
    this.fail(new ProviderFailure({ kind, provider, providerRequestId: this.providerRequestId, cause }));
  }
}
