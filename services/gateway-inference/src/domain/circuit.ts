/** When a route is avoided. */
export interface CircuitLimits {
  /** Failures in a row after which the route is avoided. */
  failuresMax: number;
  /** How long, before one call tries it again. */
  openMs: number;
}

/**
 * `closed`: in use. `open`: avoided until its time is up. `half_open`: one call is trying it; the others still avoid it.
 */
export type CircuitState = 'closed' | 'open' | 'half_open';

/** One route's record: what its calls came to decides whether it is used. Time comes in as an argument. */
export class Circuit {
  readonly #limits: CircuitLimits;
  #state: CircuitState = 'closed';
  #failures = 0;
  #retryAt = 0;

  constructor(limits: CircuitLimits) {
    this.#limits = limits;
  }

  get state(): CircuitState {
    return this.#state;
  }

  /** Whether the next call shall use the route like any other. After its time in the open, one call may: the probe. */
  admits(nowMs: number): boolean {
    if (this.#state === 'open' && nowMs >= this.#retryAt) {
      this.#state = 'half_open';
      // A probe that is never heard of again must not keep the route out for ever.
      this.#retryAt = nowMs + this.#limits.openMs;
      return true;
    }
    if (this.#state === 'half_open' && nowMs >= this.#retryAt) {
      this.#retryAt = nowMs + this.#limits.openMs;
      return true;
    }
    return this.#state === 'closed';
  }

  /** A call was answered: by whomever it was made, the route works. */
  succeeded(): void {
    this.#state = 'closed';
    this.#failures = 0;
  }

  /** A call failed for a reason that is the route's. */
  failed(nowMs: number): void {
    this.#failures++;
    if (this.#state === 'closed' && this.#failures < this.#limits.failuresMax) return;
    this.#state = 'open';
    this.#retryAt = nowMs + this.#limits.openMs;
  }
}
