/**
 * A queue between a writer that pushes and one reader that pulls. The queue has no limit of its own: the writer bounds it
 * by flow control, for which `onConsumed` reports the units of each item that the reader takes.
 */
export class Channel<T> implements AsyncIterable<T>, AsyncIterator<T> {
  #items: { item: T; units: number }[] = [];
  #waiting: { resolve: (r: IteratorResult<T>) => void; reject: (e: unknown) => void } | undefined;
  #ended = false;
  #error: unknown;
  #onConsumed: (units: number) => void;
  #onReturn: () => void;

  /** `onReturn` runs when the reader stops before the end. */
  constructor(onConsumed: (units: number) => void, onReturn: () => void) {
    this.#onConsumed = onConsumed;
    this.#onReturn = onReturn;
  }

  /** Adds an item; does nothing after the end. */
  push(item: T, units: number): void {
    if (this.#ended) return;
    const waiting = this.#waiting;
    if (waiting) {
      this.#waiting = undefined;
      this.#onConsumed(units);
      waiting.resolve({ value: item, done: false });
    } else this.#items.push({ item, units });
  }

  /** The reader ends after the items that are left. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting?.resolve({ value: undefined, done: true });
    this.#waiting = undefined;
  }

  /** The reader gets the error after the items that are left. */
  fail(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    const waiting = this.#waiting;
    if (waiting) {
      this.#waiting = undefined;
      this.#error = undefined;
      waiting.reject(error);
    }
  }

  next(): Promise<IteratorResult<T>> {
    const next = this.#items.shift();
    if (next) {
      this.#onConsumed(next.units);
      return Promise.resolve({ value: next.item, done: false });
    }
    if (this.#error !== undefined) {
      const error = this.#error;
      this.#error = undefined;
      return Promise.reject(error);
    }
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<T>> {
    const wasOpen = !this.#ended;
    this.#ended = true;
    this.#items = [];
    if (wasOpen) this.#onReturn();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): AsyncIterator<T> {
    return this;
  }
}
