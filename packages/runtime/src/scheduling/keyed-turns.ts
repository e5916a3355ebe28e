/** Runs work of the same key one at a time, in its order; work of different keys runs at the same time. */
export class KeyedTurns {
  readonly #queues = new Map<string, { last: Promise<unknown>; count: number }>();
  readonly #waitingMax: number;

  /** `waitingMax`: work of one key that may wait. */
  constructor({ waitingMax }: { waitingMax: number }) {
    this.#waitingMax = waitingMax;
  }

  /** Returns undefined, without running the work, when too much work of the key waits. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result> | undefined {
    const queue = this.#queues.get(key) ?? { last: Promise.resolve(), count: 0 };
    if (queue.count > this.#waitingMax) return undefined;
    this.#queues.set(key, queue);
    queue.count++;
    const result = queue.last.then(work);
    queue.last = result
      .catch(() => undefined)
      .then(() => {
        queue.count--;
        if (queue.count === 0) this.#queues.delete(key);
      });
    return result;
  }
}
