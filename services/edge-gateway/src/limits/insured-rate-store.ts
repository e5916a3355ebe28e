import type { Clock } from '@tollgate/runtime';
import type { RateDecision, RateLimit } from '../domain/gcra.js';
import type { RateStore } from './rate-store.js';

export interface SharedRateStore extends RateStore {
  readonly isReady: boolean;
}

/** After a failure the shared store is left alone for a moment: a hanging one must not delay every request. */
const PAUSE_MS = 1_000;

/** Shared limits while the shared store answers, this process's own otherwise: a lost Redis loosens limits, never stops requests. */
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
    if (!this.#shared.isReady || this.#clock.nowMs() < this.#pausedUntilMs) return this.#insurance.take(key, rate);
    return Promise.resolve(this.#shared.take(key, rate)).catch(() => {
      this.#pausedUntilMs = this.#clock.nowMs() + PAUSE_MS;
      return this.#insurance.take(key, rate);
    });
  }
}
