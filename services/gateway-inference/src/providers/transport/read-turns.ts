/** Time of one turn of the event loop that reading may take. */
const BUDGET_MS = 10;

/**
 * Shares the event loop between the answers of a provider and everything else. A chunk can hold hundreds of events, and
 * hundreds of sockets can be readable at once: beyond a time budget, their chunks wait for the next turn of the loop.
 */
export class ReadTurns {
  readonly #nowMs: () => number;
  #waiting: (() => void)[] = [];
  #spentMs = 0;
  #isScheduled = false;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Whether a chunk may be read now; if not, use `later`. */
  get isOpen(): boolean {
    return this.#waiting.length === 0 && this.#spentMs < BUDGET_MS;
  }

  /** Reads a chunk on this turn's budget. */
  now(read: () => void): void {
    this.#schedule();
    const startMs = this.#nowMs();
    try {
      read();
    } finally {
      this.#spentMs += this.#nowMs() - startMs;
    }
  }

  /** Reads in a later turn of the event loop, in the order of the calls. The caller has at most one read waiting. */
  later(read: () => void): void {
    this.#waiting.push(read);
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
    let done = 0;
    for (; done < this.#waiting.length && this.#spentMs < BUDGET_MS; done++)
      this.now(this.#waiting[done] as () => void);
    this.#waiting.splice(0, done);
  };
}
