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
/** Pause after a successful charge, so that a balance that is used up quickly does not cause a burst of charges. */
export const REST_MS = 60_000;
const BACKOFF_FIRST_MS = 60_000;
const BACKOFF_MAX_MS = 6 * 3_600_000;

export type TopUpNeed = { kind: 'none' } | { kind: 'due'; cents: bigint } | { kind: 'limited' };

export interface TopUpInput {
  state: AutoTopUpState;
  balanceMicrocents: bigint;
  spent: { todayCents: bigint; monthCents: bigint };
  limits: TopUpLimits;
  nowMs: number;
}

/**
 * Decides whether a charge is due and how large it is: one charge lifts the balance to the threshold, in multiples of the
 * amount, as far as the limits allow. `limited` if they allow none. `spent` counts completed and open automatic top-ups of
 * today and of this month (UTC).
 */
export function topUpNeed({ state, balanceMicrocents, spent, limits, nowMs }: TopUpInput): TopUpNeed {
  const { thresholdCents, amountCents } = state;
  if (!state.isEnabled || state.cardId === null) return { kind: 'none' };
  const missingMicrocents = thresholdCents * MICROCENTS_PER_CENT - balanceMicrocents;
  if (missingMicrocents <= 0n) return { kind: 'none' };
  if (state.nextAttemptMs !== undefined && state.nextAttemptMs > nowMs) return { kind: 'none' };
  if (amountCents < limits.minCents) return { kind: 'limited' };
  const allowed = least(
    limits.maxSingleCents,
    least(limits.maxDailyCents - spent.todayCents, limits.maxMonthlyCents - spent.monthCents),
  );
  const needed = chargeCents(divideUp(missingMicrocents, MICROCENTS_PER_CENT), amountCents);
  const cents = least(needed, (allowed / amountCents) * amountCents);
  return cents > 0n ? { kind: 'due', cents } : { kind: 'limited' };
}

/** Returns the least multiple of the amount that covers what is missing. */
function chargeCents(missingCents: bigint, amountCents: bigint): bigint {
  return divideUp(missingCents, amountCents) * amountCents;
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
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
  return amountFault('amount_cents', settings.amountCents, limits) ?? thresholdFault(settings, limits);
}

/** A single charge must be able to lift an empty balance to the threshold. */
function thresholdFault(
  { thresholdCents, amountCents }: { thresholdCents: bigint; amountCents: bigint },
  limits: TopUpLimits,
): { field: string; message: string } | undefined {
  const max = least(limits.maxSingleCents, least(limits.maxDailyCents, limits.maxMonthlyCents));
  if (least(amountCents, max) === amountCents && chargeCents(thresholdCents, amountCents) <= max) return undefined;
  const message = `needs a charge of more than ${max}, the most that one charge can be: lower the threshold`;
  return { field: 'threshold_cents', message };
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
