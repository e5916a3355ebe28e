/** When something that is called is avoided, and for how long. */
export interface CircuitLimits {
  /** Consecutive failures after which it is avoided. */
  failuresMax: number;
  /** Time until one call probes it. */
  openMs: number;
}

/**
 * `closed`: in use. `open`: avoided until a time. `half_open`: one call is probing it; all others still avoid it.
 */
export type CircuitState = 'closed' | 'open' | 'half_open';

/** A circuit as reports show it. Times are by the clock of the calls that it was given. */
export interface CircuitReport {
  state: CircuitState;
  /** Consecutive. */
  failures: number;
  /** When it came into this state; undefined if it has never changed. */
  sinceMs: number | undefined;
  /** When one call may probe the route; undefined while it is closed. */
  nextProbeMs: number | undefined;
}

/** A service or route that was not called for so long is not known to fail any more. */
const FAILING_MS = 10 * 60_000;

/** Decides from the outcomes of calls, of a service or of one of its routes, whether it is called. */
export class Circuit {
  readonly #limits: CircuitLimits;
  #state: CircuitState = 'closed';
  #failures = 0;
  #retryAt = 0;
  #failedAt = 0;
  #sinceMs: number | undefined;

  constructor(limits: CircuitLimits) {
    this.#limits = limits;
  }

  get state(): CircuitState {
    return this.#state;
  }

  get report(): CircuitReport {
    const nextProbeMs = this.#state === 'closed' ? undefined : this.#retryAt;
    return { state: this.#state, failures: this.#failures, sinceMs: this.#sinceMs, nextProbeMs };
  }

  /** Whether it is avoided and has failed lately. Without calls it cannot show that it works. */
  isFailing(elapsedMs: number): boolean {
    return this.#state !== 'closed' && elapsedMs - this.#failedAt < FAILING_MS;
  }

  /** Whether the next call may be made. After the time in `open`, one call may: the probe. */
  admits(elapsedMs: number): boolean {
    if (this.#state === 'open' && elapsedMs >= this.#retryAt) {
      this.#enter('half_open', elapsedMs);
      // A probe whose outcome is never reported must not block all others forever.
      this.#retryAt = elapsedMs + this.#limits.openMs;
      return true;
    }
    if (this.#state === 'half_open' && elapsedMs >= this.#retryAt) {
      this.#retryAt = elapsedMs + this.#limits.openMs;
      return true;
    }
    return this.#state === 'closed';
  }

  /** Records an answered call, whether or not it was the probe. */
  succeeded(elapsedMs: number): void {
    this.#enter('closed', elapsedMs);
    this.#failures = 0;
  }

  /** Records a call that failed because of what was called. */
  failed(elapsedMs: number): void {
    this.#failures++;
    this.#failedAt = elapsedMs;
    if (this.#state === 'closed' && this.#failures < this.#limits.failuresMax) return;
    this.#enter('open', elapsedMs);
    this.#retryAt = elapsedMs + this.#limits.openMs;
  }

  #enter(state: CircuitState, elapsedMs: number): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#sinceMs = elapsedMs;
  }
}
