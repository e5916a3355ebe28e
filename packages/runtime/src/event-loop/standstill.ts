import { elapsed } from '../clock.js';

const TICK_MS = 100;
/** The process counts as paused if its event loop did not run for this long. */
const STANDSTILL_MS = 1_000;
/** Time to read the waiting data from the sockets after a pause. */
const GRACE_MS = 100;

/**
 * Detects that the whole process was paused. Requests in its sockets and queues then look new, although their callers gave up
 * during the pause. Their cancellations wait in the same sockets and are read by the end of the grace time.
 */
export class Standstill {
  readonly #elapsed: () => number;
  readonly #timer: NodeJS.Timeout;
  #lastTurnMs: number;
  #graceEndsMs = Number.NEGATIVE_INFINITY;

  constructor(clock = elapsed) {
    this.#elapsed = clock;
    this.#lastTurnMs = clock();
    this.#timer = setInterval(() => this.#turn(), TICK_MS);
    this.#timer.unref();
  }

  /** Returns undefined in a process that runs; after a pause, resolves when the grace time is over. */
  over(): Promise<void> | undefined {
    this.#turn();
    const graceMs = Math.min(GRACE_MS, this.#graceEndsMs - this.#lastTurnMs);
    return graceMs > 0 ? new Promise((resolve) => setTimeout(resolve, graceMs)) : undefined;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
  }

  #turn(): void {
    const nowMs = this.#elapsed();
    if (nowMs - this.#lastTurnMs > STANDSTILL_MS) this.#graceEndsMs = nowMs + GRACE_MS;
    this.#lastTurnMs = nowMs;
  }
}
