/** The caller that waits for an item, until a deadline by `elapsed()`. RPC calls implement it. */
export interface WriterCaller {
  readonly deadline: number;
  readonly isAborted: boolean;
}

/** An item that waits for its batch. */
export interface Queued<I, R> {
  item: I;
  caller: WriterCaller;
  /** When it arrived, by `elapsed()`. */
  queuedAt: number;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** The fields that every item has. */
export interface WriterItem {
  holdId: string;
  /** The tenant whose rows the item locks. */
  ownerAccountId: string;
}

/** A queue of items of one kind in arrival order. */
export class WriterQueue<I extends WriterItem, R> {
  #items: Queued<I, R>[] = [];
  /** Waiting items per hold. */
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#items.length;
  }

  /** Whether an item of this request is waiting. */
  has(holdId: string): boolean {
    return this.#counts.has(holdId);
  }

  push(queued: Queued<I, R>): void {
    this.#items.push(queued);
    this.#count(queued, 1);
  }

  /** Puts a batch back at the front of the queue. */
  putBack(batch: readonly Queued<I, R>[]): void {
    this.#items.unshift(...batch);
    for (const queued of batch) this.#count(queued, 1);
  }

  find(isWanted: (queued: Queued<I, R>) => boolean): Queued<I, R> | undefined {
    return this.#items.find(isWanted);
  }

  /** Removes and returns the first `max` items that match. */
  take(max: number, isWanted: (queued: Queued<I, R>) => boolean): Queued<I, R>[] {
    const taken: Queued<I, R>[] = [];
    const rest: Queued<I, R>[] = [];
    for (const queued of this.#items) (taken.length < max && isWanted(queued) ? taken : rest).push(queued);
    this.#items = rest;
    for (const queued of taken) this.#count(queued, -1);
    return taken;
  }

  #count({ item }: Queued<I, R>, change: number): void {
    const count = (this.#counts.get(item.holdId) ?? 0) + change;
    if (count > 0) this.#counts.set(item.holdId, count);
    else this.#counts.delete(item.holdId);
  }
}
