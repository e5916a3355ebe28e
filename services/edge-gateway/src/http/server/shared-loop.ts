import { elapsed } from '@tollgate/runtime';

/** Time of one turn of the event loop in which work may start. */
const BUDGET_MS = 10;
/** Waiting pieces of work that may start in one turn. */
const STARTS_MAX = 64;

/**
 * Shares the event loop between the requests of all callers: their starts, the writes of their streams and their ends when clients
 * leave. Thousands may be due within one turn of the loop: beyond a time budget they wait for the next turns, where the callers
 * take turns, so that a caller with one request waits for one piece of work of each of the others. Each piece runs in a callback
 * of its own, because its promises run after it.
 */
export class SharedLoop {
  readonly #elapsed: () => number;
  /** Waiting work by caller; the caller at the front is next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** When the first piece of work of this turn started. */
  #firstAtMs: number | undefined;
  /** Callbacks that have not run yet. */
  #scheduled = 0;

  constructor(clock: () => number = elapsed) {
    this.#elapsed = clock;
  }

  /** Runs a piece of work, now or in a later turn. A caller's pieces keep their order. */
  take(caller: string, run: () => void): void {
    if (this.#waiting.size === 0 && this.#hasTime()) {
      if (this.#scheduled === 0) this.#schedule(1);
      run();
      return;
    }
    const waiting = this.#waiting.get(caller);
    if (waiting) waiting.push(run);
    else this.#waiting.set(caller, [run]);
    if (this.#scheduled === 0) this.#schedule(1);
  }

  #hasTime(): boolean {
    const elapsedMs = this.#elapsed();
    this.#firstAtMs ??= elapsedMs;
    return elapsedMs - this.#firstAtMs < BUDGET_MS;
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
    const [caller, waiting] = next;
    const run = waiting.shift() as () => void;
    this.#waiting.delete(caller);
    if (waiting.length > 0) this.#waiting.set(caller, waiting);
    run();
  }
}
