/** A limit of requests per period, all of which may come at once. */
export interface RateLimit {
  limit: number;
  periodMs: number;
}

export interface RateDecision {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  /** Until the whole limit is available again. */
  resetSeconds: number;
  /** Until one more request is allowed; 0 when it is now. */
  retryAfterSeconds: number;
  /** Theoretical arrival time to keep for the key, in epoch ms. */
  arrivalMs: number;
}

/**
 * The generic cell rate algorithm: one number per key. `arrivalMs` is when the bucket will be full again; every request
 * pushes it one emission interval further, and is refused when it would lie more than a period ahead.
 */
export function gcra(rate: RateLimit, arrivalMs: number | undefined, nowMs: number): RateDecision {
  const intervalMs = rate.periodMs / rate.limit;
  const from = Math.max(arrivalMs ?? nowMs, nowMs);
  const next = from + intervalMs;
  const overMs = next - nowMs - rate.periodMs;
  // Sums of fractional intervals may miss the bound by rounding.
  const isAllowed = overMs < intervalMs * 1e-6;
  return describeRate(rate, isAllowed, isAllowed ? next : from, nowMs);
}

/** The public figures that follow from a decision; the shared store decides in its own process and comes here with it. */
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
