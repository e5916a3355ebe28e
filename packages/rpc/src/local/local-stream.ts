import { type Call, deadlineExceeded, receivedCall } from '../call.js';
import { unwatchDeadline, watchDeadline } from '../deadlines.js';
import { callerLeft, toAppError } from '../wire-errors.js';

/** Opens the callee's items for the call that it receives. */
export type OpenStream = (received: Call) => AsyncIterable<unknown>;

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
  readonly #open: OpenStream;
  #items: AsyncIterator<unknown> | undefined;
  #received: Call | undefined;
  #watch: ReturnType<typeof watchDeadline> | undefined;
  #failure: { error: unknown } | undefined;
  #rejectWaiting: ((error: unknown) => void) | undefined;
  #isDone = false;

  constructor(label: string, call: Call, open: OpenStream) {
    this.#label = label;
    this.#call = call;
    this.#open = open;
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
      this.#rejectWaiting = reject;
      this.#items?.next().then(
        (result) => this.#settle(() => (result.done ? this.#end(resolve) : resolve(result))),
        (error: unknown) => this.#settle(() => this.#endWith(error, reject)),
      );
    });
  }

  async return(): Promise<IteratorResult<unknown>> {
    if (!this.#isDone) this.#abandon(callerLeft());
    return { value: undefined, done: true };
  }

  #start(): void {
    if (this.#items) return;
    if (this.#call.isAborted) throw toAppError(this.#call.signal.reason);
    this.#received = acceptCall(this.#label, this.#call);
    this.#items = this.#open(this.#received)[Symbol.asyncIterator]();
    this.#watch = watchDeadline(this.#call.deadline, () => this.#fail(deadlineExceeded(this.#label)));
    this.#call.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  readonly #onAbort = (): void => this.#fail(toAppError(this.#call.signal.reason));

  /** From outside the handler: deadline or abort. */
  #fail(error: unknown): void {
    if (this.#isDone) return;
    const reject = this.#rejectWaiting;
    this.#abandon(error);
    if (reject) reject(error);
    else this.#failure = { error };
  }

  #abandon(reason: unknown): void {
    this.#received?.abort(reason);
    void this.#items?.return?.().catch(() => undefined);
    this.#finish();
  }

  /** The handler's answer to the pending `next`; ignored after the stream was abandoned. */
  #settle(answer: () => void): void {
    this.#rejectWaiting = undefined;
    if (!this.#isDone) answer();
  }

  #end(resolve: (result: IteratorResult<unknown>) => void): void {
    this.#finish();
    resolve({ value: undefined, done: true });
  }

  #endWith(error: unknown, reject: (error: unknown) => void): void {
    this.#finish();
    reject(toAppError(error));
  }

  #finish(): void {
    this.#isDone = true;
    this.#rejectWaiting = undefined;
    if (this.#watch) unwatchDeadline(this.#watch);
    if (this.#items) this.#call.signal.removeEventListener('abort', this.#onAbort);
  }
}
