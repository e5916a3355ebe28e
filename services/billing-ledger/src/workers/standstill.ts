const TICK_MS = 100;
/** The process counts as paused if its event loop did not run for this long. */
const STANDSTILL_MS = 1_000;
/** Time to read the waiting data from the sockets after a pause. */
const GRACE_MS = 100;

/**
 * Detects that the whole process was paused. Requests in its sockets then look new, although their callers gave up during
 * the pause. Their cancellations wait in the same sockets and are read by the end of the grace time.
 */
export class Standstill {
  readonly #timer: NodeJS.Timeout;
  #lastTurnMs = Date.now();
  #resumedAtMs = 0;

  constructor() {
    this.#timer = setInterval(() => this.#turn(), TICK_MS);
    this.#timer.unref();
  }

  /** Resolves immediately, or after a pause when the grace time is over. */
  async over(): Promise<void> {
    this.#turn();
    const graceMs = this.#resumedAtMs + GRACE_MS - Date.now();
    if (graceMs > 0) await new Promise((resolve) => setTimeout(resolve, graceMs));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #turn(): void {
    const nowMs = Date.now();
    if (nowMs - this.#lastTurnMs > STANDSTILL_MS) this.#resumedAtMs = nowMs;
    this.#lastTurnMs = nowMs;
  }
}
