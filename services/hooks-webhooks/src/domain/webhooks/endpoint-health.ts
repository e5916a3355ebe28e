/** Consecutive failed deliveries after which an endpoint is disabled. */
export const FAILED_DELIVERIES_MAX = 5;

/** Counters of a webhook; a delivered event resets both to zero. */
export interface EndpointHealth {
  /** Consecutive failed deliveries; at the maximum the webhook is disabled. */
  failedDeliveries: number;
  /** Consecutive failed attempts. Above zero the endpoint gets one attempt at a time. */
  failedAttempts: number;
}

export interface AttemptOutcome {
  outcome: 'delivered' | 'retry' | 'failed';
  isGone: boolean;
}

export type DisabledReason = 'owner' | 'failures' | 'gone';

/**
 * Applies outcomes in the order in which they happened. Returns the new health and whether the endpoint is disabled.
 */
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
