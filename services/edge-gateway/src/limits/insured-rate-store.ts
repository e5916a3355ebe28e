import type { Clock } from '@tollgate/runtime';
import type { RateDecision, RateLimit } from '../domain/gcra.js';
import type { MemoryRateStore } from './memory-rate-store.js';
import type { RateStore } from './rate-store.js';

/** A store that several processes share, and that may fail or lose what it has stored. */
export interface SharedRateStore {
  readonly isReady: boolean;
  /** `knownArrivalMs`: the key's arrival as this process knows it, which counts where the store has an earlier one. */
  take(key: string, rate: RateLimit, knownArrivalMs: number | undefined): RateDecision | Promise<RateDecision>;
}

/** Time without calls to the shared store after a failure, so that a hanging store does not delay every request. */
const PAUSE_MS = 1_000;

/**
 * Uses the shared store while it is available, else per-process limits: losing Redis loosens limits but stops no
 * request. Counts carry over in both directions: a change of the store admits no second burst.
 */
export class InsuredRateStore implements RateStore {
  readonly #shared: SharedRateStore;
  readonly #insurance: MemoryRateStore;
  readonly #clock: Clock;
  #pausedUntilMs = 0;

  constructor(shared: SharedRateStore, insurance: MemoryRateStore, clock: Clock) {
    this.#shared = shared;
    this.#insurance = insurance;
    this.#clock = clock;
  }

  take(key: string, rate: RateLimit): RateDecision | Promise<RateDecision> {
    if (!this.#shared.isReady || this.#clock.elapsed() < this.#pausedUntilMs) return this.#insurance.take(key, rate);
    return this.#takeShared(key, rate);
  }

  async #takeShared(key: string, rate: RateLimit): Promise<RateDecision> {
    try {
      const decision = await this.#shared.take(key, rate, this.#insurance.arrivalMs(key));
      this.#insurance.note(key, decision.arrivalMs);
      return decision;
    } catch {
      this.#pausedUntilMs = this.#clock.elapsed() + PAUSE_MS;
      return this.#insurance.take(key, rate);
    }
  }
}
