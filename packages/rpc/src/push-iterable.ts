/**
 * An async iterable that a transport pushes into. Holds what the reader has not taken yet; the transport bounds it by
 * flow control (`onConsumed` tells how many were taken).
 */
export class PushIterable<T> implements AsyncIterable<T>, AsyncIterator<T> {
  #items: T[] = [];
  #waiting: { resolve: (r: IteratorResult<T>) => void; reject: (e: unknown) => void } | undefined;
  #ended = false;
  #error: unknown;
  #onConsumed: () => void;
  #onReturn: () => void;

  constructor(onConsumed: () => void, onReturn: () => void) {
    this.#onConsumed = onConsumed;
    this.#onReturn = onReturn;
  }

  push(item: T): void {
    if (this.#ended) return;
    const waiting = this.#waiting;
    if (waiting) {
      this.#waiting = undefined;
      this.#onConsumed();
      waiting.resolve({ value: item, done: false });
    } else this.#items.push(item);
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
    if (this.#items.length > 0) {
      this.#onConsumed();
      return Promise.resolve({ value: this.#items.shift() as T, done: false });
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
