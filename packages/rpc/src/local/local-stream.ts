import { type Call, deadlineExceeded, receivedCall } from '../call.js';
import { unwatchDeadline, watchDeadline } from '../deadlines.js';
import { callerLeft, toAppError } from '../wire-errors.js';

/** The handler of a server-streaming call. */
export interface StreamSource {
  /** Opens the callee's items for the call that it receives. */
  open(received: Call): AsyncIterable<unknown>;
  /** Completes an item of the handler to a message. */
  toMessage(item: unknown): unknown;
}

interface Reader {
  resolve(result: IteratorResult<unknown>): void;
  reject(error: unknown): void;
}

/** The caller's view of a received call, rejected after its deadline. */
export function acceptCall(label: string, call: Call): Call {
  const remaining = call.remainingMs();
  if (remaining <= 0) throw deadlineExceeded(label);
  return receivedCall(call.requestId, call.principal, remaining, call.traceparent, call);
}

/**
 * Items of a server-streaming handler in this process, read one by one. A reader that waits for the next item gets an error
 * immediately when the deadline passes or the caller aborts, even if the handler does not stop.
 *
 * The runtime's `Channel` does not fit: nothing is pushed here, because each item is made when the reader asks for it.
 */
export class LocalStream implements AsyncIterableIterator<unknown> {
  readonly #label: string;
  readonly #call: Call;
  readonly #source: StreamSource;
  #items: AsyncIterator<unknown> | undefined;
  #received: Call | undefined;
  #watch: ReturnType<typeof watchDeadline> | undefined;
  #failure: { error: unknown } | undefined;
  /** Waits for the next item. */
  #reader: Reader | undefined;
  #isDone = false;

  constructor(label: string, call: Call, source: StreamSource) {
    this.#label = label;
    this.#call = call;
    this.#source = source;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<unknown>> {
    if (this.#failure) {
      const { error } = this.#failure;
      this.#failure = undefined;
      return Promise.reject(error);
    }
    if (this.#isDone) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => {
      try {
        this.#start();
      } catch (error) {
        this.#finish();
        reject(toAppError(error));
        return;
      }
      this.#reader = { resolve, reject };
      this.#items?.next().then(this.#onItem, this.#onError);
    });
  }

  async return(): Promise<IteratorResult<unknown>> {
    if (!this.#isDone) this.#abandon(callerLeft());
    return { value: undefined, done: true };
  }

  #start(): void {
    if (this.#items) return;
    if (this.#call.isAborted) throw toAppError(this.#call.abortReason);
    this.#received = acceptCall(this.#label, this.#call);
    this.#items = this.#source.open(this.#received)[Symbol.asyncIterator]();
    this.#watch = watchDeadline(this.#call.deadline, () => this.#fail(deadlineExceeded(this.#label)));
    this.#call.onAbort(this.#onAbort);
  }

  readonly #onAbort = (): void => this.#fail(toAppError(this.#call.abortReason));

  /** From outside the handler: deadline or abort. */
  #fail(error: unknown): void {
    if (this.#isDone) return;
    const reader = this.#reader;
    this.#abandon(error);
    if (reader) reader.reject(error);
    else this.#failure = { error };
  }

  #abandon(reason: unknown): void {
    this.#received?.abort(reason);
    void this.#items?.return?.().catch(() => undefined);
    this.#finish();
  }

  /** The handler's answer to the pending `next`; ignored after the stream was abandoned. */
  readonly #onItem = ({ value, done }: IteratorResult<unknown>): void => {
    if (this.#isDone) return;
    let message: unknown;
    try {
      if (!done) message = this.#source.toMessage(value);
    } catch (error) {
      this.#fail(toAppError(error));
      return;
    }
    const reader = this.#reader;
    this.#reader = undefined;
    if (done) this.#finish();
    reader?.resolve({ value: message, done: done === true });
  };

  readonly #onError = (error: unknown): void => {
    if (this.#isDone) return;
    const reader = this.#reader;
    this.#finish();
    reader?.reject(toAppError(error));
  };

  #finish(): void {
    this.#isDone = true;
    this.#reader = undefined;
    if (this.#watch) unwatchDeadline(this.#watch);
    if (this.#items) this.#call.offAbort(this.#onAbort);
  }
}
