import { atMost, type Clock } from '@tollgate/runtime';
import { LRUCache } from 'lru-cache';
import { gcra, type RateDecision, type RateLimit } from '../domain/gcra.js';
import type { RateStore } from './rate-store.js';

const KEYS_MAX = 200_000;

/** Keeps limits in this process. Evicts the least recently used keys, which errs in the caller's favor. */
export class MemoryRateStore implements RateStore {
  readonly #arrivals = new LRUCache<string, number>(atMost(KEYS_MAX));
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the key's arrival, by the monotonic clock; undefined when it is unknown. */
  arrivalMs(key: string): number | undefined {
    return this.#arrivals.get(key);
  }

  /** Takes over the arrival that another store has decided. */
  note(key: string, arrivalMs: number): void {
    this.#arrivals.set(key, Math.max(arrivalMs, this.#arrivals.get(key) ?? arrivalMs));
  }

  take(key: string, rate: RateLimit): RateDecision {
    const decision = gcra(rate, this.#arrivals.get(key), this.#clock.elapsed());
    this.#arrivals.set(key, decision.arrivalMs);
    return decision;
  }
}
