import type { RateDecision, RateLimit } from '../domain/gcra.js';

/** Stores one number per key and decides with GCRA. */
export interface RateStore {
  take(key: string, rate: RateLimit): RateDecision | Promise<RateDecision>;
}
