import type { RateDecision, RateLimit } from '../domain/gcra.js';
import type { RateStore } from './rate-store.js';

export interface SharedRateStore extends RateStore {
  readonly isReady: boolean;
}

/** Shared limits while the shared store answers, this process's own otherwise: a lost Redis loosens limits, never stops requests. */
export class InsuredRateStore implements RateStore {
  readonly #shared: SharedRateStore;
  readonly #insurance: RateStore;

  constructor(shared: SharedRateStore, insurance: RateStore) {
    this.#shared = shared;
    this.#insurance = insurance;
  }

  take(key: string, rate: RateLimit): RateDecision | Promise<RateDecision> {
    if (!this.#shared.isReady) return this.#insurance.take(key, rate);
    return Promise.resolve(this.#shared.take(key, rate)).catch(() => this.#insurance.take(key, rate));
  }
}
