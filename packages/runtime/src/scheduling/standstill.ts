import { type Clock, systemClock } from '../time/clock.js';

const TICK_MS = 100;
/** The process counts as paused if its event loop did not run for this long. */
const STANDSTILL_MS = 1_000;
/** Time to read the waiting data from the sockets after a pause. */
const GRACE_MS = 100;

/**
 * Detects that the whole process was paused. Requests in its sockets and queues then look new, although their callers gave up
 * during the pause. Their cancellations wait in the same sockets and are read by the end of the grace time.
 *
 * The monotonic clock does not count the time in which the machine was suspended; the wall clock does, but also steps. Either
 * shows a pause. The grace that follows is measured by the monotonic clock alone, so that no step prolongs it.
 */
export class Standstill {
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  #lastTurn: { elapsedMs: number; wallMs: number };
  #graceUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#lastTurn = { elapsedMs: clock.elapsed(), wallMs: clock.nowMs() };
    this.#timer = setInterval(() => this.#turn(), TICK_MS);
    this.#timer.unref();
  }

  /** Returns undefined in a process that runs; after a pause, resolves when the grace time is over. */
  over(): Promise<void> | undefined {
    this.#turn();
    const graceMs = this.#graceUntilMs - this.#lastTurn.elapsedMs;
    return graceMs > 0 ? new Promise((resolve) => setTimeout(resolve, graceMs)) : undefined;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
  }

  #turn(): void {
    const turn = { elapsedMs: this.#clock.elapsed(), wallMs: this.#clock.nowMs() };
    const { elapsedMs, wallMs } = this.#lastTurn;
    const pauseMs = Math.max(turn.elapsedMs - elapsedMs, turn.wallMs - wallMs);
    if (pauseMs > STANDSTILL_MS) this.#graceUntilMs = turn.elapsedMs + GRACE_MS;
    this.#lastTurn = turn;
  }
}
