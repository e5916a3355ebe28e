const TICK_MS = 100;
/** An event loop that did not turn for this long counts as a paused process. */
const STANDSTILL_MS = 1_000;
/** Time to read what waits in the sockets after a pause. */
const GRACE_MS = 100;

/**
 * Notices that the whole process was paused. Requests that wait in its sockets then look new, although their callers gave
 * up during the pause; their cancellations are in the same sockets, and have been read when the grace is over.
 */
export class Standstill {
  readonly #timer: NodeJS.Timeout;
  #lastTurnMs = Date.now();
  #resumedAtMs = 0;

  constructor() {
    this.#timer = setInterval(() => this.#turn(), TICK_MS);
    this.#timer.unref();
  }

  /** Resolves at once, or when the grace after a pause is over. */
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
