import { elapsed } from '../time/clock.js';

/** Time of one iteration of the event loop in which work may start. */
const BUDGET_MS = 10;
const STARTS_MAX = 64;

/**
 * Shares the event loop between accounts. Thousands of pieces of work may be due within one iteration of the loop: beyond a time
 * budget they wait for the next iterations, where accounts alternate, so that an account with one piece waits for one piece of
 * each other account. Each waiting piece runs in a callback of its own, because its promises run after it.
 */
export class LoopShare {
  readonly #elapsed: () => number;
  readonly #startsMax: number;
  /** Waiting work by account; the account at the front is next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #waitingCount = 0;
  /** When the first piece of work of this iteration started. */
  #firstAtMs: number | undefined;
  /** Callbacks that have not run yet. */
  #scheduled = 0;

  /** `startsMax`: waiting pieces of work that may start in one iteration. */
  constructor(clock: () => number = elapsed, startsMax = STARTS_MAX) {
    this.#elapsed = clock;
    this.#startsMax = startsMax;
  }

  /** Runs a piece of work if the loop has time for it now and none waits. Returns whether it ran. */
  tryNow(run: () => void): boolean {
    if (this.#waitingCount > 0 || !this.#hasTime()) return false;
    if (this.#scheduled === 0) this.#schedule();
    run();
    return true;
  }

  /** Runs a piece of work, now or in a later iteration. An account's pieces keep their order. */
  take(account: string, run: () => void): void {
    if (!this.tryNow(run)) this.later(account, run);
  }

  /** Runs a piece of work in a callback of its own, never now. An account's pieces keep their order. */
  later(account: string, run: () => void): void {
    const waiting = this.#waiting.get(account);
    if (waiting) waiting.push(run);
    else this.#waiting.set(account, [run]);
    this.#waitingCount += 1;
    if (this.#scheduled === 0) this.#schedule();
  }

  #hasTime(): boolean {
    const elapsedMs = this.#elapsed();
    this.#firstAtMs ??= elapsedMs;
    return elapsedMs - this.#firstAtMs < BUDGET_MS;
  }

  /** The last callback ends the iteration. */
  #schedule(): void {
    this.#scheduled = Math.min(this.#waitingCount, this.#startsMax) + 1;
    for (let i = this.#scheduled; i > 0; i--) setImmediate(this.#run);
  }

  readonly #run = (): void => {
    this.#scheduled -= 1;
    if (this.#scheduled > 0) {
      if (this.#hasTime()) this.#startNext();
      return;
    }
    this.#firstAtMs = undefined;
    if (this.#waitingCount > 0) this.#schedule();
  };

  #startNext(): void {
    const [next] = this.#waiting;
    if (!next) return;
    const [account, waiting] = next;
    const run = waiting.shift() as () => void;
    this.#waitingCount -= 1;
    this.#waiting.delete(account);
    if (waiting.length > 0) this.#waiting.set(account, waiting);
    run();
  }
}

/** Of the whole process: what takes milliseconds delays the requests of all services in it. */
const longWork = new LoopShare(elapsed, 1);

/**
 * Waits for an iteration of the event loop that no other caller gets. Call it before each piece of work that takes milliseconds:
 * otherwise the pieces of many requests add up, and everything else waits for all of them.
 */
export function yieldLoop(account = ''): Promise<void> {
  return new Promise((resolve) => longWork.later(account, resolve));
}
