import { elapsed } from '@tollgate/runtime';

/** Time of one turn of the event loop that reading may take. */
const BUDGET_MS = 10;

/**
 * Shares the event loop between the answers of a provider and everything else. A chunk can hold hundreds of events, and
 * hundreds of sockets can be readable at once: beyond a time budget, their chunks wait for the next turn of the loop. There
 * the accounts take turns, so that an account with many answers delays another one's chunk by one of its own.
 */
export class ReadTurns {
  readonly #elapsed: () => number;
  /** Waiting reads by account; the account at the front is next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #spentMs = 0;
  #isScheduled = false;

  constructor(clock: () => number = elapsed) {
    this.#elapsed = clock;
  }

  /** Whether a chunk may be read now; if not, use `later`. */
  get isOpen(): boolean {
    return this.#waiting.size === 0 && this.#spentMs < BUDGET_MS;
  }

  /** Reads a chunk on this turn's budget. */
  now(read: () => void): void {
    this.#schedule();
    const startMs = this.#elapsed();
    try {
      read();
    } finally {
      this.#spentMs += this.#elapsed() - startMs;
    }
  }

  /** Reads in a later turn of the event loop: in the order of the calls for each account, and in turn between accounts. */
  later(accountId: string, read: () => void): void {
    const reads = this.#waiting.get(accountId);
    if (reads) reads.push(read);
    else this.#waiting.set(accountId, [read]);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#isScheduled = false;
    this.#spentMs = 0;
    do this.#readNext();
    while (this.#waiting.size > 0 && this.#spentMs < BUDGET_MS);
    if (this.#waiting.size > 0) this.#schedule();
  };

  #readNext(): void {
    const [next] = this.#waiting;
    if (!next) return;
    const [accountId, reads] = next;
    const read = reads.shift() as () => void;
    this.#waiting.delete(accountId);
    if (reads.length > 0) this.#waiting.set(accountId, reads);
    this.now(read);
  }
}
