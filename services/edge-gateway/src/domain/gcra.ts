/** A limit of requests per period, which may arrive in one burst. */
export interface RateLimit {
  limit: number;
  periodMs: number;
}

export interface RateDecision {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  /** Time until the whole limit is available again. */
  resetSeconds: number;
  /** Time until the next request is allowed; 0 when it is allowed now. */
  retryAfterSeconds: number;
  /** Theoretical arrival time to store for the key, also after a refusal; by the monotonic clock of this process. */
  arrivalMs: number;
}

/**
 * The generic cell rate algorithm, with one number per key. `arrivalMs` is the time at which the bucket is full again.
 * Each request advances it by one emission interval and is refused when it would be more than a period ahead.
 */
export function gcra(rate: RateLimit, arrivalMs: number | undefined, nowMs: number): RateDecision {
  const intervalMs = rate.periodMs / rate.limit;
  // No request stores an arrival further ahead than a period: the clock has stepped back since, or the period has become shorter.
  const from = Math.min(Math.max(arrivalMs ?? nowMs, nowMs), nowMs + rate.periodMs);
  const next = from + intervalMs;
  const overMs = next - nowMs - rate.periodMs;
  // Tolerates rounding in sums of fractional intervals.
  const isAllowed = overMs < intervalMs * 1e-6;
  return describeRate(rate, isAllowed, isAllowed ? next : from, nowMs);
}

/** Computes the public figures of a decision; the shared store makes the decision in Redis. */
export function describeRate(rate: RateLimit, isAllowed: boolean, arrivalMs: number, nowMs: number): RateDecision {
  const intervalMs = rate.periodMs / rate.limit;
  const filledMs = Math.max(0, arrivalMs - nowMs);
  const remaining = Math.floor((rate.periodMs - filledMs) / intervalMs + 1e-6);
  return {
    isAllowed,
    limit: rate.limit,
    remaining: Math.max(0, Math.min(rate.limit, remaining)),
    resetSeconds: Math.ceil(filledMs / 1000),
    retryAfterSeconds: isAllowed ? 0 : Math.max(1, Math.ceil((filledMs + intervalMs - rate.periodMs) / 1000)),
    arrivalMs,
  };
}
