/** Consecutive failed deliveries after which an endpoint is disabled. */
export const FAILED_DELIVERIES_MAX = 5;

/** Counters kept on a webhook; a delivered event sets both to zero. */
export interface EndpointHealth {
  /** Consecutive deliveries that ended failed. Decides about disabling. */
  failedDeliveries: number;
  /** Consecutive attempts that failed. Above zero the endpoint gets one attempt at a time. */
  failedAttempts: number;
}

export interface AttemptOutcome {
  outcome: 'delivered' | 'retry' | 'failed';
  isGone: boolean;
}

export type DisabledReason = 'owner' | 'failures' | 'gone';

/** The health after these outcomes, in the order in which they happened, and whether they disable the endpoint. */
export function applyOutcomes(
  before: EndpointHealth,
  outcomes: readonly AttemptOutcome[],
): EndpointHealth & { disable?: DisabledReason } {
  let { failedDeliveries, failedAttempts } = before;
  for (const { outcome, isGone } of outcomes) {
    if (outcome === 'delivered') {
      failedDeliveries = 0;
      failedAttempts = 0;
      continue;
    }
    failedAttempts += 1;
    if (outcome === 'failed') failedDeliveries += 1;
    if (isGone) return { failedDeliveries, failedAttempts, disable: 'gone' };
    if (failedDeliveries >= FAILED_DELIVERIES_MAX) return { failedDeliveries, failedAttempts, disable: 'failures' };
  }
  return { failedDeliveries, failedAttempts };
}
