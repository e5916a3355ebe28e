import type { RateDecision, RateLimit } from '../domain/gcra.js';

/** Keeps one number per key and decides by GCRA. */
export interface RateStore {
  take(key: string, rate: RateLimit): RateDecision | Promise<RateDecision>;
}
