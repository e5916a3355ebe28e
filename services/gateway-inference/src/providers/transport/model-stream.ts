import type { ProviderId } from '@tollgate/api/model-requests';
import type { ModelAnswer } from '../../domain/model-answer.js';
import { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelListener } from '../contract/provider.js';
import type { Frames, StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import { openSseFrames } from './sse-frames.js';

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
