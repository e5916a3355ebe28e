/**
 * An async iterable that a transport pushes into. Holds what the reader has not taken yet; the transport bounds it by
 * flow control: `onConsumed` is called with the units of each item that the reader takes.
 */
export class PushIterable<T> implements AsyncIterable<T>, AsyncIterator<T> {
  #items: { item: T; units: number }[] = [];
  #waiting: { resolve: (r: IteratorResult<T>) => void; reject: (e: unknown) => void } | undefined;
  #ended = false;
  #error: unknown;
  #onConsumed: (units: number) => void;
  #onReturn: () => void;

  constructor(onConsumed: (units: number) => void, onReturn: () => void) {
    this.#onConsumed = onConsumed;
    this.#onReturn = onReturn;
  }

  push(item: T, units: number): void {
    if (this.#ended) return;
    const waiting = this.#waiting;
    if (waiting) {
      this.#waiting = undefined;
      this.#onConsumed(units);
      waiting.resolve({ value: item, done: false });
    } else this.#items.push({ item, units });
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#waiting?.resolve({ value: undefined, done: true });
    this.#waiting = undefined;
  }

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
