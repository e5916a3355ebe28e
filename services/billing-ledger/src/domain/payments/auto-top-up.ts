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

/** Charges that failed one after the other until the owner has to switch it on again. */
export const FAILURES_MAX = 5;
/** After a charge that went through: amounts far below the threshold must not become a volley of charges. */
export const REST_MS = 60_000;
const BACKOFF_FIRST_MS = 60_000;
const BACKOFF_MAX_MS = 6 * 3_600_000;

/**
 * Whether a charge is due; `limited` when it would be, and a limit forbids it. `spent` is what automatic top-ups took, or
 * are taking, today and this month (UTC).
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

/** How long to leave a card alone after the n-th failure in a row: 1, 5, 25 minutes … 6 hours. */
export function backoffMs(failures: number): number {
  return Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 5 ** Math.max(0, failures - 1));
}

/** Returns the first fault of new settings, also while they are disabled; undefined if there is none. */
export function autoTopUpFault(
  wish: { thresholdCents: bigint; amountCents: bigint },
  limits: TopUpLimits,
): { field: string; message: string } | undefined {
  if (wish.thresholdCents < 0n) return { field: 'threshold_cents', message: 'must not be negative' };
  return amountFault('amount_cents', wish.amountCents, limits);
}

/** What is wrong with the amount of a single top-up. */
export function amountFault(
  field: string,
  cents: bigint,
  limits: Pick<TopUpLimits, 'minCents' | 'maxSingleCents'>,
): { field: string; message: string } | undefined {
  if (cents >= limits.minCents && cents <= limits.maxSingleCents) return undefined;
  return { field, message: `must be ${limits.minCents} to ${limits.maxSingleCents}` };
}
