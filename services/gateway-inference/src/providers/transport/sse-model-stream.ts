import type { ProviderId } from '@tollgate/api/model-requests';
import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { ModelAnswer } from '../../domain/model-answer.js';
import { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import { Utf8Text } from './utf8-text.js';

/** A stream with a larger event is rejected. */
const EVENT_CHARS_MAX = 8 * 1024 * 1024;

/** Reads one vendor's stream of server-sent events, calls the listener, and ends once. */
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
        if (!this.#isOver && data !== '') this.#events.receive(toOneLine(data), event);
      },
      // Ignores unknown fields and invalid retry values; only an oversized event ends the stream.
      onError: (error) => error.type === 'max-buffer-size-exceeded' && this.failUnreadable(error),
      maxBufferSize: EVENT_CHARS_MAX,
    });
  }

  get provider(): ProviderId {
    return this.#wire.provider;
  }

  feed(chunk: Buffer): void {
    if (!this.#isOver) this.#parser.feed(this.#text.decode(chunk));
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

/** Joins JSON that came on several `data:` lines: a forwarded event is written on one. No string in JSON contains a line break. */
function toOneLine(data: string): string {
  return data.includes('\n') ? data.replaceAll('\n', ' ') : data;
}
