/** Time of one turn of the event loop in which requests may start. */
const BUDGET_MS = 10;
/** Waiting requests that may start in one turn. */
const STARTS_MAX = 64;

/**
 * Shares the event loop between the requests of all callers. Thousands of requests may arrive within one turn of the loop:
 * beyond a time budget they wait for the next turns, where the callers take turns, so that a caller with one request waits for
 * one request of each of the others. Each request starts in a callback of its own, because its promises run after it.
 */
export class StartTurns {
  readonly #nowMs: () => number;
  /** Waiting requests by caller; the caller at the front is next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** When the first request of this turn started. */
  #firstAtMs: number | undefined;
  /** Callbacks that have not run yet. */
  #scheduled = 0;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Starts a request, now or in a later turn. */
  take(caller: string, start: () => void): void {
    if (this.#waiting.size === 0 && this.#hasTime()) {
      if (this.#scheduled === 0) this.#schedule(1);
      start();
      return;
    }
    const starts = this.#waiting.get(caller);
    if (starts) starts.push(start);
    else this.#waiting.set(caller, [start]);
    if (this.#scheduled === 0) this.#schedule(1);
  }

  #hasTime(): boolean {
    const nowMs = this.#nowMs();
    this.#firstAtMs ??= nowMs;
    return nowMs - this.#firstAtMs < BUDGET_MS;
  }

  #schedule(callbacks: number): void {
    this.#scheduled = callbacks;
    for (let i = 0; i < callbacks; i++) setImmediate(this.#run);
  }

  readonly #run = (): void => {
    this.#scheduled -= 1;
    if (this.#scheduled > 0) {
      if (this.#hasTime()) this.#startNext();
      return;
    }
    // The last callback of this turn: the next turn has a budget of its own.
    this.#firstAtMs = undefined;
    if (this.#waiting.size > 0) this.#schedule(STARTS_MAX + 1);
  };

  #startNext(): void {
    const [next] = this.#waiting;
    if (!next) return;
    const [caller, starts] = next;
    const start = starts.shift() as () => void;
    this.#waiting.delete(caller);
    if (starts.length > 0) this.#waiting.set(caller, starts);
    start();
  }
}
