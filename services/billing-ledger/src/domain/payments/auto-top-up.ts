import { MICROCENTS_PER_CENT } from '@tollgate/money';
/** Bounds of top-ups, in cents. */
export interface TopUpLimits {
  minCents: bigint;
  maxSingleCents: bigint;
  maxDailyCents: bigint;
  maxMonthlyCents: bigint;
}

export interface AutoTopUpState {
  isEnabled: boolean;
  thresholdCents: bigint;
  amountCents: bigint;
  cardId: string | null;
  nextAttemptMs: number | undefined;
}

/** Consecutive failed charges after which automatic top-ups are switched off. */
export const FAILURES_MAX = 5;
/** Pause after a successful charge, so that amounts far below the threshold do not cause a burst of charges. */
export const REST_MS = 60_000;
const BACKOFF_FIRST_MS = 60_000;
const BACKOFF_MAX_MS = 6 * 3_600_000;

/**
 * Decides whether a charge is due; `limited` if it would be due but a limit forbids it. `spent` counts completed and open
 * automatic top-ups of today and of this month (UTC).
 */
export function topUpNeed(
  state: AutoTopUpState,
  balanceMicrocents: bigint,
  spent: { todayCents: bigint; monthCents: bigint },
  limits: TopUpLimits,
  nowMs: number,
): 'none' | 'due' | 'limited' {
  if (!state.isEnabled || state.cardId === null) return 'none';
  if (balanceMicrocents >= state.thresholdCents * MICROCENTS_PER_CENT) return 'none';
  if (state.nextAttemptMs !== undefined && state.nextAttemptMs > nowMs) return 'none';
  const isWithin =
    state.amountCents >= limits.minCents &&
    state.amountCents <= limits.maxSingleCents &&
    spent.todayCents + state.amountCents <= limits.maxDailyCents &&
    spent.monthCents + state.amountCents <= limits.maxMonthlyCents;
  return isWithin ? 'due' : 'limited';
}

/** Returns the pause after the n-th consecutive failure: 1, 5, 25 minutes … 6 hours. */
export function backoffMs(failures: number): number {
  return Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 5 ** Math.max(0, failures - 1));
}

/** Returns the first fault of new settings, even if they are disabled; undefined if there is none. */
export function autoTopUpFault(
  settings: { thresholdCents: bigint; amountCents: bigint },
  limits: TopUpLimits,
): { field: string; message: string } | undefined {
  if (settings.thresholdCents < 0n) return { field: 'threshold_cents', message: 'must not be negative' };
  return amountFault('amount_cents', settings.amountCents, limits);
}

/** Returns the fault of a single top-up's amount, if any. */
export function amountFault(
  field: string,
  cents: bigint,
  limits: Pick<TopUpLimits, 'minCents' | 'maxSingleCents'>,
): { field: string; message: string } | undefined {
  if (cents >= limits.minCents && cents <= limits.maxSingleCents) return undefined;
  return { field, message: `must be ${limits.minCents} to ${limits.maxSingleCents}` };
}
