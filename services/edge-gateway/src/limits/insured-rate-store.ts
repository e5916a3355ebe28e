import type { Clock } from '@tollgate/runtime';
import type { RateDecision, RateLimit } from '../domain/gcra.js';
import type { RateStore } from './rate-store.js';

export interface SharedRateStore extends RateStore {
  readonly isReady: boolean;
}

/** Time without calls to the shared store after a failure, so that a hanging store does not delay every request. */
const PAUSE_MS = 1_000;

/**
 * Uses the shared store while it is available, else per-process limits: losing Redis loosens limits but stops no
 * request.
 */
export class InsuredRateStore implements RateStore {
  readonly #shared: SharedRateStore;
  readonly #insurance: RateStore;
  readonly #clock: Clock;
  #pausedUntilMs = 0;

  constructor(shared: SharedRateStore, insurance: RateStore, clock: Clock) {
    this.#shared = shared;
    this.#insurance = insurance;
    this.#clock = clock;
  }

  take(key: string, rate: RateLimit): RateDecision | Promise<RateDecision> {
    if (!this.#shared.isReady || this.#clock.elapsed() < this.#pausedUntilMs) return this.#insurance.take(key, rate);
    return Promise.resolve(this.#shared.take(key, rate)).catch(() => {
      this.#pausedUntilMs = this.#clock.elapsed() + PAUSE_MS;
      return this.#insurance.take(key, rate);
    });
  }
}
